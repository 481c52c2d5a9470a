import Foundation

/// Where memory warnings come from.
///
///     let token = try memory.listenToMemoryWarnings(from: .system)
public struct MemoryWarningSource: Sendable {
  let listen: @Sendable (@escaping @Sendable () -> Void) throws -> @Sendable () -> Void

  /// Makes a source of a function.
  ///
  /// - Parameter listen: Begins to call the closure it is given whenever memory is short, from any
  ///   thread, and returns what ends that, which is called once. Throws if it cannot begin.
  public init(
    _ listen:
      @escaping @Sendable (_ warn: @escaping @Sendable () -> Void) throws
      -> @Sendable () -> Void
  ) {
    self.listen = listen
  }

  /// The system's warnings.
  ///
  /// On iOS, tvOS and visionOS the application's notification, on its main thread. On macOS and
  /// watchOS a dispatch source of memory pressure. On Linux pressure stall information, when tasks
  /// have waited for memory for 100 ms of 2 s: as the kernel tells it, or where it is not allowed
  /// to be asked to, looked at every 2 s; or else the control group's counts of having reached its
  /// limits.
  ///
  /// - Throws: From `listenToMemoryWarnings(from:)`, ``MemoryWarningError`` where there is none of
  ///   these.
  public static var system: MemoryWarningSource {
    #if canImport(Darwin)
      .darwin
    #else
      MemoryWarningSource { try MemoryPressure.system.listen($0) }
    #endif
  }

  /// Makes a source for tests, and what makes it warn.
  ///
  ///     let (source, warn) = MemoryWarningSource.manual()
  ///     let token = try memory.listenToMemoryWarnings(from: source)
  ///     warn()  // memory is empty
  ///
  /// `warn` calls those who listen, in the order in which they began, before it returns.
  public static func manual() -> (source: MemoryWarningSource, warn: @Sendable () -> Void) {
    let listeners = Lock((last: 0, all: [(id: Int, warn: @Sendable () -> Void)]()))
    let source = MemoryWarningSource { warn in
      let id = listeners.withLock { listeners in
        listeners.last += 1
        listeners.all.append((listeners.last, warn))
        return listeners.last
      }
      return {
        // What goes is returned, so that it is released outside the lock.
        _ = listeners.withLock { listeners in
          listeners.all.firstIndex { $0.id == id }.map { listeners.all.remove(at: $0) }
        }
      }
    }
    return (source, { for listener in listeners.withLock({ $0.all }) { listener.warn() } })
  }
}

/// Why memory warnings cannot be had.
public enum MemoryWarningError: Error, Equatable, Sendable {
  /// The system has none of the ways to tell; with what was tried and what came of it.
  case unavailable(tried: [String])
}

extension MemoryWarningError: CustomStringConvertible, LocalizedError {
  /// What was tried, and what to do about it.
  public var description: String {
    switch self {
    case .unavailable(let tried):
      "no memory warnings on this system: \(tried.joined(separator: "; ")). Use a kernel with "
        + "pressure stall information (CONFIG_PSI, boot parameter psi=1) or a control group of "
        + "version 2, or bound the memory level and pass a MemoryWarningSource of your own."
    }
  }

  /// The description, for those who show errors to people.
  public var errorDescription: String? { description }
}
