/// A promise that waits for other promises. It has one interest in each of them, and withdraws
/// these interests when it settles.
struct PromiseGroup<Result: Sendable>: Sendable {
  private let result = Pending<Result>()
  private let interests = Lock<[Interest]>([])

  /// Returns the result. Call this once, after adding all members.
  func promise() -> Promise<Result> {
    if result.outcome == nil { result.stop(at: 1) { withdrawAll() } }
    return result.promise
  }

  /// Sets the promise that the group mainly waits for.
  func source(is source: any PendingSource) { result.source(is: source) }

  /// Whether the result has settled, so that it needs no further members.
  var isSettled: Bool { result.outcome != nil }

  func add<Value>(
    _ member: Promise<Value>, _ body: @escaping @Sendable (Promise<Value>.Outcome) -> Void
  ) {
    guard let interest = member.join(body) else { return }
    interests.withLock { $0.append(interest) }
    if isSettled { interest.withdraw() }
  }

  /// Adds a member that the result needs. Its failure or cancellation ends the result.
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
