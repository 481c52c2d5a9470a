extension Cache {
  /// Passes the warnings of a source to every level of this cache, until the token is cancelled or
  /// released.
  ///
  /// Each level decides about its response. By default, a memory level evicts everything, and a
  /// disk level ignores the warning.
  ///
  ///     let token = try memory.listenToMemoryWarnings(from: .system)
  ///
  /// - Parameter source: The source of the warnings. `memoryWarning` is called on its thread. The
  ///   default is the system.
  /// - Returns: A token that ends the listening when it is cancelled or released. The token retains
  ///   the cache.
  /// - Throws: ``MemoryWarningError`` if the source is the system's and the system can't report
  ///   that memory is short.
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
  /// A later warning isn't passed on. A warning that another thread is passing on may still arrive.
  public func cancel() {
    let (warn, end) = listener.withLock { listener in
      defer { listener = (nil, nil) }
      return listener
    }
    withExtendedLifetime(warn) { end?() }
  }
}
