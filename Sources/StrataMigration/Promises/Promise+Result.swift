import StrataVerbs

extension Promise {
  /// Creates a settled promise from a result.
  ///
  ///     Promise(Result { try Data(contentsOf: url) })
  ///
  /// - Law: `Promise(Result.success(x)) == Promise(x)`. See `PromiseResultTests`.
  public init<Failure: Error>(_ result: Result<Value, Failure>) {
    self.init(outcome: Outcome(result))
  }
}

extension Promise.Outcome {
  /// Creates an outcome from a result.
  ///
  /// - Law: `Outcome(r).get() == r.get()`. See `PromiseResultTests`.
  public init<Failure: Error>(_ result: Result<Value, Failure>) {
    switch result {
    case .success(let value): self = .success(value)
    case .failure(let error): self = .failure(error)
    }
  }

  /// Returns the outcome with its value transformed by a closure. An error or a cancellation stays
  /// as it is.
  ///
  ///     pages.get(url).onCompletion { outcome in print(outcome.map(\.count)) }
  ///
  /// - Parameter transform: A closure that is called once if there is a value. When it throws an
  ///   error, the result is a failure with this error.
  /// - Law: `Promise(outcome: o.map(f)) == Promise(outcome: o).map(f)`. See `PromiseResultTests`.
  public func map<NewValue>(
    _ transform: (Value) throws -> NewValue
  ) -> Promise<NewValue>.Outcome {
    flatMap { .success(try transform($0)) }
  }

  /// Returns the outcome that a closure creates from the value. An error or a cancellation stays as
  /// it is.
  ///
  /// - Parameter transform: A closure that is called once if there is a value. When it throws an
  ///   error, the result is a failure with this error.
  /// - Law: `Promise(outcome: o.flatMap(f)) == p.flatMap { Promise(outcome: f($0)) }` for
  ///   `p = Promise(outcome: o)`. See `PromiseResultTests`.
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

  /// Returns this outcome, or a failure with `CacheError.conditionNotSatisfied` if the
  /// value doesn't pass a test.
  ///
  /// - Parameter isIncluded: A closure that returns whether to keep the value. It's called once,
  ///   and only for a success. When it throws an error, the result is a failure with this error.
  /// - Law: `Promise(outcome: o.filter(f)) == Promise(outcome: o).filter(f)`. See
  ///   `PromiseResultTests`.
  public func filter(_ isIncluded: (Value) throws -> Bool) -> Promise.Outcome {
    flatMap { try isIncluded($0) ? self : .failure(CacheError.conditionNotSatisfied) }
  }
}
