/// A promise that waits for several other promises, called its members.
///
/// When the group ends, it withdraws its interest in each member, and only then calls its
/// listeners. For example, a listener may begin the next get in a queue. Thanks to this order, that
/// get never runs beside work that the group no longer needs.
struct PromiseGroup<Result: Sendable>: Sendable {
  private let result = Pending<Result>()
  /// The interests in the members, or `nil` after the group has ended.
  private let interests = Lock<[Interest]?>([])

  /// Returns the result. Call this function once, after adding all members.
  func promise() -> Promise<Result> {
    if result.outcome == nil {
      result.onCancel(
        .handle { raise in
          guard let raise else { return _ = withdrawAll() }
          for member in interests.withLock({ $0 ?? [] }) { member.raise(raise) }
        })
    }
    return result.promise
  }

  /// Whether the group has ended. Once it has, the group needs no further members.
  var hasEnded: Bool { interests.withLock { $0 == nil } }

  package func add<Value>(
    _ member: Promise<Value>, _ body: @escaping @Sendable (Promise<Value>.Outcome) -> Void
  ) {
    guard let interest = member.join(body) else { return }
    if interests.withLock({ $0?.append(interest) }) == nil { interest.withdraw() }
  }

  /// Adds a member whose value the result needs. When this member fails or is cancelled, the group
  /// ends.
  func addPart<Value>(_ member: Promise<Value>, _ body: @escaping @Sendable (Value) -> Void) {
    add(member) { outcome in
      switch outcome {
      case .success(let value): body(value)
      case .failure(let error): end(.failure(error))
      case .cancelled: end(.cancelled)
      }
    }
  }

  func end(_ outcome: Promise<Result>.Outcome) { if withdrawAll() { result.settle(outcome) } }

  /// Ends the group. Returns `false` if the group had already ended.
  @discardableResult
  private func withdrawAll() -> Bool {
    guard let members = interests.withLock({ $0.take() }) else { return false }
    for member in members { member.withdraw() }
    return true
  }
}
