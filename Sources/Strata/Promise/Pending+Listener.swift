extension Pending {
  /// A receiver of the outcome. A promise that settles with the same outcome needs no closure.
  @usableFromInline
  enum Listener: Sendable {
    case call(@Sendable (Outcome) -> Void)
    case settle(Pending)

    @inlinable
    func receive(_ outcome: Outcome) {
      switch self {
      case .call(let run): run(outcome)
      case .settle(let other): other.settle(outcome)
      }
    }
  }

  /// An action that stops the work when the promise is cancelled.
  @usableFromInline
  enum CancelHandler: Sendable {
    case call(@Sendable () -> Void)
    case withdraw(Pending, id: Int)

    @inlinable
    func run() {
      switch self {
      case .call(let run): run()
      case .withdraw(let other, let id): other.withdraw(id)
      }
    }
  }

  /// The result of adding a listener: it waits, or the outcome was already delivered.
  @usableFromInline
  enum JoinResult {
    case waiting(id: Int)
    case settled(Outcome)
  }

  @inlinable
  @inline(never)
  func stop(at stage: Int, _ run: @escaping @Sendable () -> Void) { stop(at: stage, .call(run)) }

  /// Returns a new promise that settles with the same outcome, or `nil` if this one was cancelled.
  ///
  /// Joining and withdrawing are atomic. A caller that joins after the last interest was withdrawn
  /// gets `nil`.
  @inlinable
  @inline(never)
  func joined() -> Promise<Value>? {
    let waiter = Pending(source: self)
    switch listen(isInterest: true, isJoin: true, .settle(waiter)) {
    case .settled(.cancelled): return nil
    case .settled(let outcome): return Promise(outcome: outcome)
    case .waiting(let id):
      waiter.stop(at: 1, .withdraw(self, id: id))
      return Promise(.pending(waiter))
    }
  }

  /// A promise with this outcome. It is pending if there is no outcome yet.
  @inlinable
  var promise: Promise<Value> { outcome.map { Promise(outcome: $0) } ?? Promise(.pending(self)) }
}
