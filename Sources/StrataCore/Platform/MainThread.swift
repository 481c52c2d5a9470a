import Foundation

/// The main thread of the process.
package enum MainThread {
  /// Whether the caller runs on the main thread.
  package static var isCurrent: Bool {
    #if canImport(Darwin)
      pthread_main_np() != 0
    #else
      // The system call behind `isMainThread` takes up to 2 us, so each thread caches the result.
      if let stored = pthread_getspecific(key) { return stored == isMain }
      let isCurrent = Thread.isMainThread
      pthread_setspecific(key, isCurrent ? isMain : isOther)
      return isCurrent
    #endif
  }

  #if !canImport(Darwin)
    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      pthread_key_create(&key, nil)
      return key
    }()

    private static var isMain: UnsafeMutableRawPointer? { .init(bitPattern: 1) }
    private static var isOther: UnsafeMutableRawPointer? { .init(bitPattern: 2) }
  #endif
}
