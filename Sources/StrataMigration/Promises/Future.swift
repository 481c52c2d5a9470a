import StrataVerbs

/// PiedPiper's name for the reading side of a promise. In Strata, that side is `Promise`.
public typealias Future<Value: Sendable> = Promise<Value>

extension Promise.Continuation {
  /// Settles the promise with the outcome of another promise.
  ///
  /// As long as this continuation waits, the work of the other promise continues. When this promise
  /// is cancelled, that work stops, unless another caller needs it.
  ///
  /// - Law: `Promise { $0.mimic(p) } == p`. See `FutureTests`.
  public func mimic(_ other: Promise<Value>) {
    let copy = other.map { $0 }
    onCancel { copy.cancel() }
    copy.onCompletion { _ = self.settle($0) }
  }
}
