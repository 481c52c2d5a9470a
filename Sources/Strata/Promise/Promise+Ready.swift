extension Promise {
  /// Creates a settled promise from the result of a synchronous closure or from the error that it
  /// throws.
  @inlinable
  init(catching body: () throws -> Value) {
    do { self.init(try body()) } catch { self.init(error: error) }
  }

  /// Replaces this promise with a ready one if it has settled since its creation.
  @inlinable
  mutating func look() {
    if case .pending(let pending) = state { self = pending.promise }
  }

  /// Whether the outcome is stored in the promise itself, as for a hit. Doesn't take a lock.
  @inlinable
  var isReady: Bool {
    if case .pending = state { false } else { true }
  }
}
