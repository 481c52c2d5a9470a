extension Cache {
  /// Returns this cache asked in another way; its writes stay as they are.
  ///
  /// What verbs that are about gets alone are made with.
  ///
  /// - Parameters:
  ///   - name: What the plan calls the verb.
  ///   - arguments: What the plan shows of its arguments.
  ///   - asking: How it is asked: made where the types are known, so that a hit is compiled for them.
  @usableFromInline
  func asked(
    _ name: String, _ arguments: String = "",
    by asking:
      @escaping @Sendable (
        _ get: @escaping @Sendable (Key) -> Promise<Value>
      ) -> @Sendable (Key) -> Promise<Value>
  ) -> Cache {
    Cache(
      get: asking(get), set: set, remove: remove, clear: clear, memoryWarning: memoryWarning,
      spine: Spine(
        plan: .verb(plan, name: name, arguments: arguments), isReadOnly: spine.isReadOnly,
        forget: spine.forget,
        reporting: spine.reporting { $0.asked(name, arguments, by: asking) }))
  }
}
