extension Cache {
  /// A level that answers every get with one value, and to which writes change nothing.
  ///
  /// Beneath others it makes of every miss a value, which is back-filled into them.
  ///
  ///     let greetings: Cache<String, String> = .memory() + .constant("hello")
  ///
  /// - Complexity: O(1). Nothing is allocated.
  /// - Law: `.constant(x) + a` answers x and never asks a; `a + .constant(x)` never misses:
  ///   `constant.above`, `constant.beneath`; see `ConstantLaws`.
  public static func constant(_ value: Value) -> Cache {
    let answer = Promise<Value>(outcome: .success(value))
    return Cache(
      get: { _ in answer }, set: { _, _ in Promise() }, remove: { _ in Promise() },
      clear: { Promise() }, memoryWarning: {},
      spine: Spine(plan: .level("constant"), isReadOnly: true))
  }

  /// A level in which everything fails: gets, sets, removes and clears, each with one error.
  ///
  /// For tests of what lies around it. One of which only the gets fail is
  /// `.failing(error).fetcher`.
  ///
  ///     let broken: Cache<String, Data> = .failing(CacheError.timedOut) + memory
  ///     try await broken.find("a")  // what memory has
  ///
  /// - Parameter error: What it fails with; one that is a miss makes of its gets misses.
  /// - Complexity: O(1). Nothing is allocated.
  /// - Law: `.failing(e).fetcher + a` answers as a does where a has a value, and otherwise with
  ///   what says more: `failing.above`, `failing.beneath`, `failing.writes`; see `ConstantLaws`.
  public static func failing(_ error: any Error) -> Cache {
    let failure = Promise<Void>(error: error)
    return Cache(
      get: { _ in Promise(error: error) }, set: { _, _ in failure }, remove: { _ in failure },
      clear: { failure }, memoryWarning: {}, spine: Spine(plan: .level("failing")))
  }
}
