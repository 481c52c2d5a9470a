/// A promise that waits for others, with one interest in each, and withdraws them when it ends.
struct Gathering<Result: Sendable>: Sendable {
  private let result = Pending<Result>()
  private let interests = Lock<[Interest]>([])

  /// What is waited for; call it once, when all members are added.
  func promise() -> Promise<Result> {
    if result.outcome == nil { result.stop(at: 1) { withdrawAll() } }
    return result.promise
  }

  /// Whether the end has come, so that further members need not be asked.
  var isSettled: Bool { result.outcome != nil }

  func add<Value>(
    _ member: Promise<Value>, _ body: @escaping @Sendable (Promise<Value>.Outcome) -> Void
  ) {
    guard let interest = member.join(body) else { return }
    interests.withLock { $0.append(interest) }
    if isSettled { interest.withdraw() }
  }

  /// Adds a member without which there is no whole: it ends as that does, but for a value.
  func addPart<Value>(_ member: Promise<Value>, _ body: @escaping @Sendable (Value) -> Void) {
    add(member) { outcome in
      switch outcome {
      case .success(let value): body(value)
      case .failure(let error): end(.failure(error))
      case .cancelled: end(.cancelled)
      }
    }
  }

  func end(_ outcome: Promise<Result>.Outcome) {
    if result.settle(outcome) { withdrawAll() }
  }

  private func withdrawAll() {
    let members = interests.withLock { members in
      defer { members = [] }
      return members
    }
    for member in members { member.withdraw() }
  }
}
