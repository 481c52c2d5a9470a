#if canImport(Combine)
  import Combine

  extension Promise {
    /// A publisher of this promise's value.
    ///
    /// It fails with the promise's error, or with `CancellationError` if the promise is cancelled.
    /// As long as there is a subscription to it, the promise's work continues.
    public var publisher: AnyPublisher<Value, any Error> {
      Deferred {
        let own = map { $0 }
        return Future<Value, any Error> { settle in
          nonisolated(unsafe) let settle: (Result<Value, any Error>) -> Void = settle
          own.onCompletion { outcome in settle(Result { try outcome.get() }) }
        }.handleEvents(receiveCancel: { own.cancel() })
      }.eraseToAnyPublisher()
    }

    /// Creates a promise of the first value of a publisher. It subscribes to the publisher
    /// immediately.
    ///
    /// After the first value, the subscription ends. When the publisher completes without a value,
    /// the promise fails with ``CacheError/notFound``. When it neither sends a value nor completes,
    /// the promise is pending and the subscription active until the promise is cancelled. To cancel
    /// both after a while, add a timeout, as in `Promise(prices).timeout(after: .seconds(5))`.
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
