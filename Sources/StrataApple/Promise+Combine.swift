#if canImport(Combine)
  import Combine

  extension Promise {
    /// A publisher of this promise's value.
    ///
    /// It fails with the promise's error, or with `CancellationError` if the promise is cancelled.
    /// Until it's cancelled, each subscription keeps the promise's work going.
    public var publisher: AnyPublisher<Value, any Error> {
      Deferred {
        let own = map { $0 }
        return Future<Value, any Error> { settle in
          nonisolated(unsafe) let settle: (Result<Value, any Error>) -> Void = settle
          own.onCompletion { outcome in settle(Result { try outcome.get() }) }
        }.handleEvents(receiveCancel: { own.cancel() })
      }.eraseToAnyPublisher()
    }

    /// Creates a promise of the first value of a publisher, and subscribes to the publisher
    /// immediately.
    ///
    /// After the first value, the subscription ends. When the publisher completes without one, the
    /// promise fails with ``CacheError/notFound``. But a publisher that never sends a value and
    /// never completes leaves the promise pending, with an active subscription, until the promise
    /// is cancelled. For example, `Promise(prices).timeout(after: .seconds(5))` cancels the
    /// subscription to the publisher `prices` if no value arrives in time.
    ///
    /// - Parameter publisher: The publisher of the value. Callbacks of the promise run on the
    ///   thread that sends the value.
    public init(_ publisher: some Publisher<Value, any Error>) {
      self.init { (continuation: Continuation) in
        let subscription = publisher.first().sink {
          if case .failure(let error) = $0 { continuation.fail(error) }
          continuation.fail(CacheError.notFound)
        } receiveValue: {
          continuation.succeed($0)
        }
        // Cancelling a subscription is thread-safe, but a subscription isn't `Sendable`.
        nonisolated(unsafe) let cancel: () -> Void = { subscription.cancel() }
        continuation.onCancel { cancel() }
      }
    }
  }
#endif
