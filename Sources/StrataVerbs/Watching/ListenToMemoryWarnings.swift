extension Cache {
  /// Passes memory warnings from a source to every level of this cache, until the returned token is
  /// cancelled or released.
  ///
  /// By default, a memory level evicts all its values after a memory warning, and a disk level
  /// ignores the warning.
  ///
  ///     let token = try memory.listenToMemoryWarnings(from: .system)
  ///
  /// - Parameter source: The source of the warnings. The default is the system. The cache's
  ///   `memoryWarning` runs on the thread that sends the warning.
  /// - Returns: A token that retains the cache. Cancelling or releasing the token stops the
  ///   warnings.
  /// - Throws: ``MemoryWarningError`` if the source is `.system` and the system can't report low
  ///   memory.
  /// - Law: Each warning calls `memoryWarning` once, until the token is cancelled. See
  ///   `ListenToMemoryWarningsTests.testOneWarningIsOneWarningUntilTheTokenIsCancelled`.
  public func listenToMemoryWarnings(
    from source: MemoryWarningSource = .system
  ) throws -> MemoryWarningToken {
    try MemoryWarningToken(source, memoryWarning)
  }
}

/// A token that keeps passing memory warnings to a cache until the token is cancelled or released.
public final class MemoryWarningToken: Sendable {
  private typealias Warn = @Sendable () -> Void

  private let listener: Lock<(warn: Warn?, end: Warn?)>

  init(_ source: MemoryWarningSource, _ warn: @escaping @Sendable () -> Void) throws {
    let listener = Lock<(warn: Warn?, end: Warn?)>((warn, nil))
    self.listener = listener
    let end = try source.listen { listener.withLock { $0.warn }?() }
    listener.withLock { $0.end = end }
  }

  deinit { cancel() }

  /// Stops passing warnings to the cache. Calling it again has no effect.
  ///
  /// When another thread is delivering a warning while `cancel` runs, the cache might still receive
  /// this warning.
  public func cancel() {
    let (warn, end) = listener.withLock { listener in
      defer { listener = (nil, nil) }
      return listener
    }
    withExtendedLifetime(warn) { end?() }
  }
}
