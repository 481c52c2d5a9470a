extension Promise {
  /// Makes a promise of what `body` returns, or of the error it throws, before this returns.
  @inlinable
  init(catching body: () throws -> Value) {
    do { self.init(try body()) } catch { self.init(error: error) }
  }

  /// Becomes one that is ready, if it has settled meanwhile.
  @inlinable
  mutating func look() {
    if case .pending(let pending) = state { self = pending.promise }
  }

  /// Whether the answer was there when this was made: a hit asks no more.
  @inlinable
  var isReady: Bool {
    if case .pending = state { false } else { true }
  }
}
