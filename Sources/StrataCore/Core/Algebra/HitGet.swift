extension Cache {
  /// Makes the `get` of a verb from the `get` of the cache below it, and from a function for every
  /// answer that isn't an immediate hit.
  ///
  /// Public functions that are inlinable pass ``passingHits(_:_:)``. So the compiler specializes the
  /// code of a hit in the caller's module, and all else stays behind one call. Verbs that change the
  /// value pass a closure with `Promise.onHit(_:otherwise:)` instead.
  @usableFromInline
  typealias HitGet =
    @Sendable (
      _ get: @escaping @Sendable (Key) -> Promise<Value>,
      _ otherwise: @escaping @Sendable (Key, Promise<Value>) -> Promise<Value>
    ) -> @Sendable (Key) -> Promise<Value>

  /// Returns a get that passes immediate hits on, and all other answers to a function.
  ///
  /// A memory level answers with a settled promise. A verb that has nothing to do on a hit returns it
  /// before it touches its queue, its timer, or its table.
  @inlinable
  static func passingHits(
    _ get: @escaping @Sendable (Key) -> Promise<Value>,
    _ otherwise: @escaping @Sendable (Key, Promise<Value>) -> Promise<Value>
  ) -> @Sendable (Key) -> Promise<Value> {
    { key in passingHit(of: key, get, otherwise) }
  }

  // Inlined into the closure, this code would copy a key of two words from the caller's stack with one
  // load of 16 bytes. The processor would wait for the two stores of the words, about 5 ns for each verb.
  @inlinable
  @inline(never)
  static func passingHit(
    of key: Key, _ get: (Key) -> Promise<Value>,
    _ otherwise: (Key, Promise<Value>) -> Promise<Value>
  ) -> Promise<Value> {
    let answer = get(key)
    if case .success = answer.state { return answer }
    return otherwise(key, answer)
  }

  /// Returns the function that transforms the answers that aren't immediate hits.
  @usableFromInline
  static func transforming<NewValue>(
    _ transform: @escaping @Sendable (Key, Value) -> Promise<NewValue>
  ) -> @Sendable (Key, Promise<Value>) -> Promise<NewValue> {
    { key, answer in answer.flatMap { transform(key, $0) } }
  }
}

extension Promise {
  /// Passes the value of an immediate hit to one closure, and any other answer to another one. Neither
  /// closure is allocated.
  @inlinable
  @inline(__always)
  func onHit<NewValue>(
    _ transform: (Value) -> Promise<NewValue>, otherwise: (Promise) -> Promise<NewValue>
  ) -> Promise<NewValue> {
    guard case .success(let value) = state else { return otherwise(self) }
    return transform(value)
  }
}
