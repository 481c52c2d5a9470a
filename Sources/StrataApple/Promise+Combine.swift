#if canImport(Combine)
  import Combine

  extension Promise {
    /// A publisher of this promise's value.
    ///
    /// The publisher fails with the promise's error, or with `CancellationError` if the promise is
    /// cancelled. Each subscription keeps the promise's work going until the subscription is
    /// cancelled.
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
    /// The subscription ends after the first value. If the publisher completes without a value, the
    /// promise fails with ``CacheError/notFound``. If the publisher never sends a value and never
    /// completes, the promise stays pending and its subscription stays active until the promise is
    /// cancelled. For example, `Promise(prices).timeout(after: .seconds(5))` cancels the
    /// subscription to the publisher `prices` if no value arrives in time.
    ///
    /// - Parameter publisher: The publisher of the value. The promise's callbacks run on the thread
    ///   that sends the value.
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
