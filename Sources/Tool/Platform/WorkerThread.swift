import Foundation

/// A thread whose start can fail. `Thread` doesn't report that the system has no thread left.
enum WorkerThread {
  private final class Work {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread that nobody joins.
  ///
  /// - Throws: A ``SystemError`` if the system has no thread left, for example because of
  ///   `ulimit -u`.
  static func start(_ run: @escaping @Sendable () -> Void) throws {
    let work = Unmanaged.passRetained(Work(run))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    #if canImport(Darwin)
      var thread: pthread_t?
      let code = pthread_create(&thread, &attributes, { WorkerThread.begin($0) }, work.toOpaque())
    #else
      var thread = pthread_t()
      let code = pthread_create(
        &thread, &attributes, { $0.flatMap { WorkerThread.begin($0) } }, work.toOpaque())
    #endif
    guard code == 0 else {
      work.release()
      throw SystemError("no thread can be started", code: code)
    }
  }

  private static func begin(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run()
    return nil
  }
}
