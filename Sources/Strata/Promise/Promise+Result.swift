extension Promise {
  /// Makes a promise that ended with a result already.
  ///
  ///     Promise(Result { try Data(contentsOf: url) })
  ///
  /// - Law: `Promise(Result.success(x)) == Promise(x)`; see `PromiseResultTests`.
  public init<Failure: Error>(_ result: Result<Value, Failure>) {
    switch result {
    case .success(let value): self.init(outcome: .success(value))
    case .failure(let error): self.init(error: error)
    }
  }
}

extension Promise.Outcome {
  /// Makes the outcome of a result.
  ///
  /// - Law: `Outcome(r).get()` is `r.get()`; see `PromiseResultTests`.
  public init<Failure: Error>(_ result: Result<Value, Failure>) {
    switch result {
    case .success(let value): self = .success(value)
    case .failure(let error): self = .failure(error)
    }
  }

  /// Returns the outcome with its value changed; an error or cancellation stays.
  ///
  ///     pages.get(url).onCompletion { outcome in print(outcome.map(\.count)) }
  ///
  /// - Parameter transform: Called once if there is a value. If it throws, that is the failure.
  /// - Law: `Promise(outcome: o.map(f)) == Promise(outcome: o).map(f)`; see `PromiseResultTests`.
  public func map<NewValue>(
    _ transform: (Value) throws -> NewValue
  ) -> Promise<NewValue>.Outcome {
    flatMap { .success(try transform($0)) }
  }

  /// Returns the outcome that is made of the value; an error or cancellation stays.
  ///
  /// - Parameter transform: Called once if there is a value. If it throws, that is the failure.
  /// - Law: `Promise(outcome: o.flatMap(f))` is that of promises; see `PromiseResultTests`.
  public func flatMap<NewValue>(
    _ transform: (Value) throws -> Promise<NewValue>.Outcome
  ) -> Promise<NewValue>.Outcome {
    switch self {
    case .success(let value):
      do { return try transform(value) } catch { return .failure(error) }
    case .failure(let error): return .failure(error)
    case .cancelled: return .cancelled
    }
  }

  /// Returns the outcome, or a failure with ``CacheError/conditionNotSatisfied`` for a value that
  /// does not pass.
  ///
  /// - Parameter isIncluded: Called once if there is a value. If it throws, that is the failure.
  /// - Law: as ``Promise/filter(_:)-((Value)->Bool)``; see `PromiseResultTests`.
  public func filter(_ isIncluded: (Value) throws -> Bool) -> Promise.Outcome {
    flatMap { try isIncluded($0) ? self : .failure(CacheError.conditionNotSatisfied) }
  }
}
