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

    /// Makes a promise of the first value of a publisher, and subscribes at once.
    ///
    /// The subscription ends with that value, whether or not the publisher would go on. A publisher
    /// that completes without one fails the promise as not found. One that neither sends a value
    /// nor completes leaves it pending, and itself subscribed, until the promise is cancelled;
    /// nothing else ends it, not even that nobody holds the promise any more. Bound it by a time:
    /// `Promise(prices).timeout(after: .seconds(5))` fails as timed out then, and the subscription
    /// is cancelled.
    ///
    /// - Parameter publisher: What sends the value, on whatever thread: callbacks run on that.
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
