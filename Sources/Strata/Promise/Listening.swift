extension Pending {
  /// Who is told of the end. A promise that ends as this one does needs no closure for it.
  @usableFromInline
  enum Listener: Sendable {
    case call(@Sendable (Outcome) -> Void)
    case settle(Pending)

    @inlinable
    func hear(_ outcome: Outcome) {
      switch self {
      case .call(let run): run(outcome)
      case .settle(let other): other.settle(outcome)
      }
    }
  }

  /// What stops the work when nobody wants it any more.
  @usableFromInline
  enum Stop: Sendable {
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

  /// Whether a listener waits now, or was too late.
  @usableFromInline
  enum Listening {
    case waiting(id: Int)
    case settled(Outcome)
  }

  @inlinable
  func stop(at stage: Int, _ run: @escaping @Sendable () -> Void) { stop(at: stage, .call(run)) }

  /// A promise of one's own that ends as this one does; `nil` if it was cancelled.
  ///
  /// Joining and withdrawing are one step each: whoever comes after the last one left gets `nil`.
  @inlinable
  func joined() -> Promise<Value>? {
    let waiter = Pending()
    switch listen(isInterest: true, isJoin: true, .settle(waiter)) {
    case .settled(.cancelled): return nil
    case .settled(let outcome): return Promise(outcome: outcome)
    case .waiting(let id):
      waiter.stop(at: 1, .withdraw(self, id: id))
      return Promise(.pending(waiter))
    }
  }

  /// The promise that ends as this has ended, or will.
  @inlinable
  var promise: Promise<Value> { outcome.map { Promise(outcome: $0) } ?? Promise(.pending(self)) }
}
