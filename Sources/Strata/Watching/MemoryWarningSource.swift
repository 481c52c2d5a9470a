import Foundation

/// A source of memory warnings.
///
///     let token = try memory.listenToMemoryWarnings(from: .system)
public struct MemoryWarningSource: Sendable {
  let listen: @Sendable (@escaping @Sendable () -> Void) throws -> @Sendable () -> Void

  /// Creates a source from a function.
  ///
  /// - Parameter listen: A closure that starts the warnings. Its parameter is a function to call
  ///   whenever memory is short, from any thread. The closure returns another function, which is
  ///   called once to stop the warnings. If the closure can't start the warnings, it throws.
  public init(
    _ listen:
      @escaping @Sendable (_ warn: @escaping @Sendable () -> Void) throws
      -> @Sendable () -> Void
  ) {
    self.listen = listen
  }

  /// The system's memory warnings.
  ///
  /// On iOS, tvOS, and visionOS, the source is the application's notification, on the main thread.
  /// On macOS and watchOS, the source is a dispatch source for memory pressure. On Linux, the
  /// source is pressure stall information: a warning means that tasks have waited for memory for
  /// 100 ms within 2 s. Either the kernel reports this, or Strata reads the waiting time every 2 s
  /// if the kernel doesn't permit a trigger. Without pressure stall information, Strata reads how
  /// often the control group has reached its limits.
  ///
  /// - Throws: `listenToMemoryWarnings(from:)` throws ``MemoryWarningError`` if the system has no
  ///   way to report that memory is short.
  public static var system: MemoryWarningSource {
    MemoryWarningSource { try MemoryWarnings.listen($0) ?? MemoryPressure.system.listen($0) }
  }

  /// Creates a source for tests, and a function that makes the source warn.
  ///
  ///     let (source, warn) = MemoryWarningSource.manual()
  ///     let token = try memory.listenToMemoryWarnings(from: source)
  ///     warn()  // memory is empty
  ///
  /// `warn` calls all listeners, in the order in which they started, before it returns.
  public static func manual() -> (source: MemoryWarningSource, warn: @Sendable () -> Void) {
    let listeners = Lock((last: 0, all: [(id: Int, warn: @Sendable () -> Void)]()))
    let source = MemoryWarningSource { warn in
      let id = listeners.withLock { listeners in
        listeners.last += 1
        listeners.all.append((listeners.last, warn))
        return listeners.last
      }
      return {
        // Returns the listener, so that it is released outside the lock.
        _ = listeners.withLock { listeners in
          listeners.all.firstIndex { $0.id == id }.map { listeners.all.remove(at: $0) }
        }
      }
    }
    return (source, { for listener in listeners.withLock({ $0.all }) { listener.warn() } })
  }
}

/// An error on a system that has no memory warnings.
public enum MemoryWarningError: Error, Equatable, Sendable {
  /// The system has no way to report that memory is short. `tried` contains each attempt and its
  /// result.
  case unavailable(tried: [String])
}

extension MemoryWarningError: CustomStringConvertible, LocalizedError {
  /// The attempts, and a remedy.
  public var description: String {
    switch self {
    case .unavailable(let tried):
      "no memory warnings on this system: \(tried.joined(separator: "; ")). Use a kernel with "
        + "pressure stall information (CONFIG_PSI, boot parameter psi=1) or a control group of "
        + "version 2, or bound the memory level and pass a custom MemoryWarningSource."
    }
  }

  /// The description, for display in a user interface.
  public var errorDescription: String? { description }
}
