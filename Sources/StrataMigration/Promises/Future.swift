import StrataCore

/// PiedPiper's name for the reading side of a promise. In Strata, `Promise` is that side.
public typealias Future<Value: Sendable> = Promise<Value>

extension Promise.Continuation {
  /// Settles the promise with the outcome of another promise.
  ///
  /// The other promise's work goes on for as long as this continuation waits, and stops when this
  /// promise is cancelled, unless another caller needs it.
  ///
  /// - Law: `Promise { $0.mimic(p) } == p`. See `FutureTests`.
  public func mimic(_ other: Promise<Value>) {
    let copy = other.map { $0 }
    onCancel { copy.cancel() }
    copy.onCompletion { _ = self.settle($0) }
  }
}
