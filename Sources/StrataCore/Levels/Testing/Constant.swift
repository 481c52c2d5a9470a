extension Cache {
  /// Returns a level that returns the same value for every key and ignores writes.
  ///
  /// As the last level of a sum, it answers each get that misses in the levels above. Then the sum
  /// back-fills these levels with the value.
  ///
  ///     let greetings: Cache<String, String> = .memory() + .constant("hello")
  ///
  /// - Complexity: O(1). Gets don't allocate.
  /// - Law: `.constant(x) + a` returns `x` and never reads `a`, and `a + .constant(x)` never
  ///   misses. See the laws `constant.above` and `constant.beneath` in `ConstantLaws`.
  public static func constant(_ value: Value) -> Cache {
    let answer = Promise<Value>(outcome: .success(value))
    return Cache(
      get: { _ in answer }, set: { _, _ in Promise() }, remove: { _ in Promise() },
      clear: { Promise() }, memoryWarning: {},
      metadata: CacheMetadata(plan: .level("constant", .constant), isReadOnly: true))
  }

  /// Returns a level whose operations all fail with the same error.
  ///
  /// To let only gets fail, use `.failing(error).fetcher`.
  ///
  ///     let broken: Cache<String, Data> = .failing(CacheError.timedOut()) + memory
  ///     try await broken.findValue(for: "a")  // the value in memory
  ///
  /// - Parameter error: The error of every operation. A miss makes every get miss.
  /// - Complexity: O(1).
  /// - Law: `.failing(e).fetcher + a` returns the value of `a` or, if `a` also fails, the more
  ///   informative of the two errors. See the laws `failing.above`, `failing.beneath`, and
  ///   `failing.writes` in `ConstantLaws`.
  public static func failing(_ error: any Error) -> Cache {
    let failure = Promise<Void>(error: error)
    return Cache(
      get: { _ in Promise(error: error) }, set: { _, _ in failure }, remove: { _ in failure },
      clear: { failure }, memoryWarning: {},
      metadata: CacheMetadata(plan: .level("failing", .constant)))
  }
}
