extension Promise {
  /// Creates a settled promise from the result of a synchronous closure, or from the error that the
  /// closure throws.
  @inlinable
  package init(catching body: () throws -> Value) {
    do { self.init(try body()) } catch { self.init(error: error) }
  }

  /// When this promise has settled, this function copies its outcome into the returned struct, so
  /// `isReady` is `true`.
  @inlinable
  mutating func storeOutcome() {
    if case .pending(let pending) = state { self = pending.promise }
  }

  /// Whether the struct itself stores the outcome, for example after a synchronous hit. Reading
  /// this property doesn't acquire a lock.
  @inlinable
  package var isReady: Bool {
    if case .pending = state { false } else { true }
  }
}
