extension Cache {
  /// Creates the `get` of a verb from the `get` of the cache below it, and from a function for all
  /// answers except immediate hits.
  ///
  /// For `hit`, a public, inlinable verb passes ``passingHits(_:_:)``. So the compiler specializes
  /// the code of a hit in the caller's module, and the remaining code stays behind one call. A verb
  /// that changes the value has its own closure, or calls ``transformedHit(of:_:_:_:)``.
  @usableFromInline
  package typealias HitGet =
    @Sendable (
      _ get: @escaping @Sendable (Key) -> Promise<Value>,
      _ otherwise: @escaping @Sendable (Key, Promise<Value>) -> Promise<Value>
    ) -> @Sendable (Key) -> Promise<Value>

  /// Returns a get that passes immediate hits on, and all other answers to a function.
  ///
  /// A memory level returns a settled promise. So a verb that has nothing to do on a hit returns
  /// this promise before it accesses its queue, timer, or table.
  @inlinable
  package static func passingHits(
    _ get: @escaping @Sendable (Key) -> Promise<Value>,
    _ otherwise: @escaping @Sendable (Key, Promise<Value>) -> Promise<Value>
  ) -> @Sendable (Key) -> Promise<Value> {
    { key in passingHit(of: key, get, otherwise) }
  }

  // If this code were inlined into the closure, it would load a key of two words from the caller's
  // stack with one instruction. But first, the processor would wait for the two stores of these
  // words, about 5 ns for each verb.
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

  /// Transforms the value of an immediate hit, and passes any other answer to a function. It isn't
  /// inlined, for the same reason.
  @inlinable
  @inline(never)
  package static func transformedHit<NewValue>(
    of key: Key, _ get: (Key) -> Promise<Value>,
    _ transform: (Key, Value) -> Promise<NewValue>,
    _ otherwise: (Key, Promise<Value>) -> Promise<NewValue>
  ) -> Promise<NewValue> {
    let answer = get(key)
    guard case .success(let value) = answer.state else { return otherwise(key, answer) }
    return transform(key, value)
  }

  /// Returns the function that transforms the answers that aren't immediate hits.
  @usableFromInline
  package static func transforming<NewValue>(
    _ transform: @escaping @Sendable (Key, Value) -> Promise<NewValue>
  ) -> @Sendable (Key, Promise<Value>) -> Promise<NewValue> {
    { key, answer in answer.flatMap { transform(key, $0) } }
  }
}
