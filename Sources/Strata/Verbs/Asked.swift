extension Cache {
  /// Returns this cache asked in another way; its writes stay as they are.
  ///
  /// What verbs that are about gets alone are made with.
  ///
  /// - Parameters:
  ///   - name: What the plan calls the verb.
  ///   - arguments: What the plan shows of its arguments.
  ///   - isQueue: Whether gets may have to wait for their turn: observers are told for how long.
  ///   - asking: How it is asked: made where the types are known, so that a hit is compiled for
  ///     them.
  @usableFromInline
  func asked(
    _ name: String, _ arguments: String = "", isQueue: Bool = false,
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
        reporting: remade(name, arguments, isQueue: isQueue, by: asking)))
  }

  private func remade(
    _ name: String, _ arguments: String, isQueue: Bool,
    by asking:
      @escaping @Sendable (
        _ get: @escaping @Sendable (Key) -> Promise<Value>
      ) -> @Sendable (Key) -> Promise<Value>
  ) -> (@Sendable (Reporter) -> Cache)? {
    guard isQueue else { return spine.reporting { $0.asked(name, arguments, by: asking) } }
    return { reporter in
      reporting(to: reporter).asked(name, arguments, by: reporter.waiting(asking))
    }
  }
}

extension Reporter {
  /// A way of asking that reports for how long a get has waited for its turn.
  fileprivate func waiting<Key: Sendable, Value>(
    _ asking:
      @escaping @Sendable (
        _ get: @escaping @Sendable (Key) -> Promise<Value>
      ) -> @Sendable (Key) -> Promise<Value>
  )
    -> @Sendable (
      _ get: @escaping @Sendable (Key) -> Promise<Value>
    ) -> @Sendable (Key) -> Promise<Value>
  {
    { get in
      { key in
        let (start, hasReturned) = (now(), Lock(false))
        let ask = asking { key in
          if hasReturned.withLock({ $0 }) {
            report(.wait, key, since: start, Promise<Void>.Outcome.success(()))
          }
          return get(key)
        }
        defer { hasReturned.withLock { $0 = true } }
        return ask(key)
      }
    }
  }
}
