extension Pending {
  /// Adds a listener that settles another promise of the same type.
  @inlinable
  func listen(
    isInterest: Bool, isJoin: Bool = false, settling other: Pending
  ) -> (id: Int, settled: Outcome?) {
    listen(isInterest: isInterest, isJoin: isJoin, .settle(other))
  }

  /// Adds a listener, unless the outcome has been delivered.
  @inlinable
  @inline(never)
  func listen(
    isInterest: Bool, _ body: @escaping @Sendable (Outcome) -> Void
  ) -> (id: Int, settled: Outcome?) {
    listen(
      isInterest: isInterest, .call { body($0.assumingMemoryBound(to: Outcome.self).pointee) })
  }

  /// Adds a listener that continues the current operation, unless the outcome has been delivered.
  /// The tasks that the listener begins belong to this operation. See `BegunTasks`.
  @inlinable
  @inline(never)
  func listen(
    continuing body: @escaping @Sendable (Outcome) -> Void
  ) -> (id: Int, settled: Outcome?) {
    listen(isInterest: true, .step { body($0.assumingMemoryBound(to: Outcome.self).pointee) })
  }

  /// Returns a new promise that settles with this promise's outcome, or `nil` if this promise was
  /// cancelled.
  ///
  /// When the last waiter is cancelled, this promise is cancelled as well, so after that, the
  /// function returns `nil`.
  @inlinable
  @inline(never)
  package func joined() -> Promise<Value>? {
    let waiter = Pending()
    let (id, settled) = listen(isInterest: true, isJoin: true, settling: waiter)
    guard let settled else {
      waiter.onCancel(.withdraw(Interest(in: self, id: id)))
      return Promise(.pending(waiter))
    }
    return settled.isCancelled ? nil : Promise(outcome: settled)
  }

  /// A promise that stores the outcome, or a pending promise if there is no outcome yet.
  @inlinable
  package var promise: Promise<Value> {
    outcome.map { Promise(outcome: $0) } ?? Promise(.pending(self))
  }
}

/// One caller's claim on the outcome of a pending promise. The promise's work continues as long as
/// the promise has at least one interest.
@usableFromInline
package struct Interest: Sendable {
  @usableFromInline let pending: any AnyPending
  @usableFromInline let id: Int

  @inlinable
  init(in pending: any AnyPending, id: Int) { (self.pending, self.id) = (pending, id) }

  /// Withdraws the interest. When it's the last one, this cancels the promise's work. Calling this
  /// function again has no effect.
  package func withdraw() { pending.withdraw(id) }
}
