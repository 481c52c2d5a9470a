#if canImport(Combine)
  import Combine

  extension Promise {
    /// This promise as a publisher of its value; it fails as the promise does, and with
    /// `CancellationError` for a cancellation.
    ///
    /// Each subscription is an interest of its own, which is withdrawn when it is cancelled.
    public var publisher: AnyPublisher<Value, any Error> {
      Deferred {
        let own = map { $0 }
        return Future<Value, any Error> { settle in
          nonisolated(unsafe) let settle = settle  // Called once, whichever thread it is.
          own.onCompletion { outcome in settle(Result { try outcome.get() }) }
        }.handleEvents(receiveCancel: { own.cancel() })
      }.eraseToAnyPublisher()
    }

    /// Makes a promise of the first value of a publisher; of none, it fails as not found.
    public init(_ publisher: some Publisher<Value, any Error>) {
      self.init { (continuation: Continuation) in
        nonisolated(unsafe) let subscription = publisher.first().sink {
          if case .failure(let error) = $0 { continuation.fail(error) }
          continuation.fail(CacheError.notFound)
        } receiveValue: {
          continuation.succeed($0)
        }
        continuation.onCancel { subscription.cancel() }
      }
    }
  }
#endif
