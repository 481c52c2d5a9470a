import Foundation

/// A source of memory warnings.
///
///     let token = try memory.listenToMemoryWarnings(from: .system)
public struct MemoryWarningSource: Sendable {
  let listen: @Sendable (@escaping @Sendable () -> Void) throws -> @Sendable () -> Void

  /// Creates a source from a function.
  ///
  /// - Parameter listen: A closure that starts listening. It receives a function `warn`, which the
  ///   source must call whenever memory is low, on any thread. The closure returns another
  ///   function, which is called once to stop listening. When it can't listen for memory warnings,
  ///   the closure throws an error.
  public init(
    _ listen:
      @escaping @Sendable (_ warn: @escaping @Sendable () -> Void) throws
      -> @Sendable () -> Void
  ) {
    self.listen = listen
  }

  /// The system's memory warnings.
  ///
  /// Each system reports low memory in its own way. On iOS, tvOS, and visionOS, the application
  /// receives a low-memory notification on the main thread. On macOS and watchOS, a dispatch source
  /// reports memory pressure.
  ///
  /// On Linux, the kernel's pressure stall information (PSI) measures how long tasks wait for
  /// memory. A warning means that tasks have waited for a total of 100 ms within 2 s. When the
  /// kernel refuses to send warnings, Strata reads this time every 2 s instead. If the kernel has
  /// no PSI, Strata checks every 2 s whether the control group has reached its memory limits.
  ///
  /// Listening to this source throws ``MemoryWarningError`` if the system can't report low memory.
  public static var system: MemoryWarningSource {
    MemoryWarningSource { try MemoryWarnings.listen($0) ?? MemoryPressure.system.listen($0) }
  }

  /// Creates a source for tests, and a function that makes the source send a warning.
  ///
  ///     let (source, warn) = MemoryWarningSource.manual()
  ///     let token = try memory.listenToMemoryWarnings(from: source)
  ///     warn()  // memory is empty
  ///
  /// The function `warn` calls all listeners before it returns, in the order in which they started
  /// listening.
  public static func manual() -> (source: MemoryWarningSource, warn: @Sendable () -> Void) {
    let listeners = Lock((last: 0, all: [(id: Int, warn: @Sendable () -> Void)]()))
    let source = MemoryWarningSource { warn in
      let id = listeners.withLock { listeners in
        listeners.last += 1
        listeners.all.append((listeners.last, warn))
        return listeners.last
      }
      return {
        // The body of `withLock` returns the listener, so the listener is released outside the
        // lock.
        _ = listeners.withLock { listeners in
          listeners.all.firstIndex { $0.id == id }.map { listeners.all.remove(at: $0) }
        }
      }
    }
    return (source, { for listener in listeners.withLock({ $0.all }) { listener.warn() } })
  }
}

/// The error for a system that can't send memory warnings.
public enum MemoryWarningError: Error, Equatable, Sendable {
  /// The system can't report low memory. `tried` lists the methods that were tried, each with the
  /// reason for its failure.
  case unavailable(tried: [String])
}

extension MemoryWarningError: CustomStringConvertible, LocalizedError {
  /// The methods that were tried, and a remedy.
  public var description: String {
    switch self {
    case .unavailable(let tried):
      "no memory warnings on this system: \(tried.joined(separator: "; ")). Use a kernel with "
        + "pressure stall information (CONFIG_PSI, boot parameter psi=1) or a control group of "
        + "version 2. If you can't, limit the memory level and pass a custom MemoryWarningSource."
    }
  }

  /// The description, for display in a user interface.
  public var errorDescription: String? { description }
}
