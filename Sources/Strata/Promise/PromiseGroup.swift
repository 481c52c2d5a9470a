/// A promise that waits for several other promises, called its members. When the group settles, the
/// group withdraws its interest in each member.
struct PromiseGroup<Result: Sendable>: Sendable {
  private let result = Pending<Result>()
  private let interests = Lock<[Interest]>([])

  /// Returns the result. Call this function once, after adding all members.
  func promise() -> Promise<Result> {
    if result.outcome == nil { result.stop(at: 1) { withdrawAll() } }
    return result.promise
  }

  /// Sets the promise that the group's result waits for.
  func source(is source: any PendingSource) { result.source(is: source) }

  /// Whether the result has settled. A settled group needs no further members.
  var isSettled: Bool { result.outcome != nil }

  func add<Value>(
    _ member: Promise<Value>, _ body: @escaping @Sendable (Promise<Value>.Outcome) -> Void
  ) {
    guard let interest = member.join(body) else { return }
    interests.withLock { $0.append(interest) }
    if isSettled { interest.withdraw() }
  }

  /// Adds a member whose value the result needs. The member's failure or cancellation settles the
  /// result.
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
