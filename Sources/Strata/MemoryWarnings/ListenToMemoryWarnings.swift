extension Cache {
  /// Lets every level of this cache know when memory is short, for as long as the token is held.
  ///
  /// What a level does then is its own matter: a memory level lets everything go unless told
  /// otherwise, a disk level does nothing. Warnings do not clear anything by themselves.
  ///
  ///     let token = try memory.listenToMemoryWarnings(from: .system)
  ///
  /// - Parameter source: Where warnings come from; `memoryWarning` is called on its thread.
  /// - Returns: What ends it when it is cancelled, or let go of. It holds the cache.
  /// - Throws: ``MemoryWarningError`` if the source is the system's and it has no way to tell.
  /// - Law: one warning is one `memoryWarning`, and none after the end; see
  ///   `ListenToMemoryWarningsTests.testOneWarningIsOneWarningUntilTheTokenIsCancelled`.
  public func listenToMemoryWarnings(
    from source: MemoryWarningSource = .system
  ) throws -> MemoryWarningToken {
    try MemoryWarningToken(source, memoryWarning)
  }
}

/// What keeps a cache listening to memory warnings.
public final class MemoryWarningToken: Sendable {
  private typealias Warn = @Sendable () -> Void

  private let listener: Lock<(warn: Warn?, end: Warn?)>

  init(_ source: MemoryWarningSource, _ warn: @escaping @Sendable () -> Void) throws {
    let listener = Lock<(warn: Warn?, end: Warn?)>((warn, nil))
    self.listener = listener
    let end = try source.listen { listener.withLock { $0.warn }?() }
    // The first warning may have come already, and have ended it.
    let isOver = listener.withLock { listener in
      if listener.warn != nil { listener.end = end }
      return listener.warn == nil
    }
    if isOver { end() }
  }

  deinit { cancel() }

  /// Ends it: a warning that comes after this has returned is not passed on; one that another
  /// thread is passing on may still arrive. Without effect the second time.
  public func cancel() {
    let (warn, end) = listener.withLock { listener in
      defer { listener = (nil, nil) }
      return listener
    }
    withExtendedLifetime(warn) { end?() }
  }
}
