extension Promise {
  /// How a promise ended: with a value, with an error, or cancelled.
  ///
  /// Cancellation is an end of its own and not an error: nobody recovers from it or tries again.
  public enum Outcome: Sendable {
    /// The answer is there.
    case success(Value)
    /// The work failed. Work that throws `CancellationError` without having been cancelled failed.
    case failure(any Error)
    /// Nobody wants the answer any more.
    case cancelled

    /// The value, if there is one.
    @inlinable
    public var value: Value? {
      guard case .success(let value) = self else { return nil }
      return value
    }

    /// The error, if there is one; `nil` for a cancellation.
    @inlinable
    public var error: (any Error)? {
      guard case .failure(let error) = self else { return nil }
      return error
    }

    /// Whether the work was cancelled.
    @inlinable
    public var isCancelled: Bool {
      guard case .cancelled = self else { return false }
      return true
    }

    /// Returns the value, or throws the error, or `CancellationError` for a cancellation.
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
