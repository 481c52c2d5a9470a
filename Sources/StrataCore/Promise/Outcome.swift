extension Promise {
  /// The outcome of a promise: a value, an error, or a cancellation.
  ///
  /// A cancellation isn't an error, so `recover` and `retrying` ignore it.
  public enum Outcome: Sendable {
    /// The promise was fulfilled.
    case success(Value)
    /// The work failed. This includes work that throws `CancellationError` but wasn't cancelled.
    case failure(any Error)
    /// The promise was cancelled, or no caller needed its outcome any longer.
    case cancelled

    /// The value, or `nil` for a failure or a cancellation.
    @inlinable
    public var value: Value? {
      guard case .success(let value) = self else { return nil }
      return value
    }

    /// The error, or `nil` for a success or a cancellation.
    @inlinable
    public var error: (any Error)? {
      guard case .failure(let error) = self else { return nil }
      return error
    }

    /// Whether the promise was cancelled.
    @inlinable
    public var isCancelled: Bool {
      guard case .cancelled = self else { return false }
      return true
    }

    /// The value, or `nil` for a miss. Any other outcome throws its error.
    ///
    ///     let known = try await pages.outcomes(for: urls).compactMap { try $0.found }
    public var found: Value? {
      get throws {
        do { return try get() } catch  where error.isMiss { return nil }
      }
    }

    /// Returns the value, or throws the error.
    ///
    /// - Throws: The error of a failure, or `CancellationError` for a cancellation.
    @inlinable
    public func get() throws -> Value {
      switch self {
      case .success(let value): return value
      case .failure(let error): throw error
      case .cancelled: throw CancellationError()
      }
    }
  }
}
