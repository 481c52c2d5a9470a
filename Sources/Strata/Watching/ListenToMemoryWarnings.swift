extension Cache {
  /// Passes the warnings of a source to every level of this cache, until the token is cancelled or
  /// released.
  ///
  /// A memory level evicts everything by default. A disk level ignores the warning.
  ///
  ///     let token = try memory.listenToMemoryWarnings(from: .system)
  ///
  /// - Parameter source: The source of the warnings. The cache's `memoryWarning` is called on the
  ///   source's thread. The default is the system.
  /// - Returns: A token that retains the cache. Cancelling or releasing the token stops the
  ///   warnings.
  /// - Throws: ``MemoryWarningError`` if the source is `.system` and the system has no way to
  ///   report that memory is short.
  /// - Law: each warning is one call of `memoryWarning`, until the token is cancelled. See
  ///   `ListenToMemoryWarningsTests.testOneWarningIsOneWarningUntilTheTokenIsCancelled`.
  public func listenToMemoryWarnings(
    from source: MemoryWarningSource = .system
  ) throws -> MemoryWarningToken {
    try MemoryWarningToken(source, memoryWarning)
  }
}

/// A token that keeps a cache listening to memory warnings.
public final class MemoryWarningToken: Sendable {
  private typealias Warn = @Sendable () -> Void

  private let listener: Lock<(warn: Warn?, end: Warn?)>

  init(_ source: MemoryWarningSource, _ warn: @escaping @Sendable () -> Void) throws {
    let listener = Lock<(warn: Warn?, end: Warn?)>((warn, nil))
    self.listener = listener
    let end = try source.listen { listener.withLock { $0.warn }?() }
    // The first warning may have arrived already, and its handler may have cancelled the token.
    let isOver = listener.withLock { listener in
      if listener.warn != nil { listener.end = end }
      return listener.warn == nil
    }
    if isOver { end() }
  }

  deinit { cancel() }

  /// Ends the listening. A second call has no effect.
  ///
  /// The cache receives no later warning. A warning that another thread is delivering may still
  /// arrive.
  public func cancel() {
    let (warn, end) = listener.withLock { listener in
      defer { listener = (nil, nil) }
      return listener
    }
    withExtendedLifetime(warn) { end?() }
  }
}
