extension Promise {
  /// Makes a promise of what `body` returns, or of the error it throws, before this returns.
  @inlinable
  init(catching body: () throws -> Value) {
    do { self.init(try body()) } catch { self.init(error: error) }
  }

  /// This promise, as one that is ready if it has settled meanwhile.
  @inlinable
  var settled: Promise {
    if case .pending(let pending) = state { pending.promise } else { self }
  }

  /// Whether the answer was there when this was made: a hit asks no more.
  @inlinable
  var isReady: Bool {
    if case .pending = state { false } else { true }
  }
}
