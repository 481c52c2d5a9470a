extension Cache {
  /// Returns this cache with the value of each get transformed.
  ///
  /// Each get transforms its value again. Writes aren't transformed, so stored values don't change.
  /// In a sum, the transformed value is back-filled into the levels above this cache.
  ///
  ///     let loud = pages.postProcessed(Transformer { $0.uppercased() })
  ///
  /// - Parameter transformer: A transformer of values. Called once for each hit, on the thread that
  ///   has the value. If it fails, the get fails with that error.
  /// - Complexity: O(1). A hit doesn't allocate if the transformer is synchronous.
  /// - Law: `a.postProcessed(.identity) == a` and
  ///   `a.postProcessed(s).postProcessed(t) == a.postProcessed(s >>> t)`:
  ///   `postProcessing.identity`, `postProcessing.composition`, and more of `Laws.postProcessing`.
  ///   See `PostProcessingLaws`.
  public func postProcessed(_ transformer: Transformer<Value, Value>) -> Cache {
    postProcessed(with: { _, value in transformer.transform(value) })
  }

  /// Returns this cache with the value of each get transformed by a function of key and value.
  ///
  ///     let signed = pages.postProcessed { url, page in page + " from \(url)" }
  ///
  /// - Parameter transform: A closure that transforms a value. Called once for each hit, on the
  ///   thread that has the value. If it throws, the get fails with that error.
  /// - Law: a function that ignores the key behaves like the transformer: `postProcessing.keys`.
  ///   See `PostProcessingLaws`.
  public func postProcessed(
    _ transform: @escaping @Sendable (Key, Value) throws -> Value
  ) -> Cache {
    postProcessed(with: { key, value in Promise(catching: { try transform(key, value) }) })
  }

  /// Returns this cache with the value of each get transformed by an async function of key and
  /// value.
  ///
  /// - Parameter transform: A closure that transforms a value. Called once for each hit, in a
  ///   separate task. Cancelling the get cancels the task. If the closure throws, the get fails
  ///   with that error.
  /// - Law: the same laws as for a synchronous function. See `PostProcessingLaws`.
  @_disfavoredOverload
  public func postProcessed(
    _ transform: @escaping @Sendable (Key, Value) async throws -> Value
  ) -> Cache {
    postProcessed(with: { key, value in Promise { try await transform(key, value) } })
  }

  /// Returns this cache with the value of each get transformed by a function that returns a
  /// promise.
  package func postProcessed(
    with transform: @escaping @Sendable (Key, Value) -> Promise<Value>
  ) -> Cache {
    transformingGet("postProcessed") { get in
      { key in
        let answer = get(key)
        if case .success(let value) = answer.state { return transform(key, value) }
        return answer.flatMap { transform(key, $0) }
      }
    }
  }
}

extension Fetcher {
  /// Returns this fetcher with the value of each get transformed. See
  /// ``Cache/postProcessed(_:)-(Transformer<Value,Value>)``.
  ///
  /// - Law: `f.postProcessed(t) == f.mapValues(t)`. See
  ///   `PostProcessedTests.testAFetcherIsPostProcessedToo`.
  public func postProcessed(_ transformer: Transformer<Value, Value>) -> Fetcher {
    Fetcher(cache.postProcessed(transformer))
  }

  /// Returns this fetcher with the value of each get transformed by a function of key and value.
  ///
  /// - Law: the same laws as for a cache. See `PostProcessedTests.testAFetcherIsPostProcessedToo`.
  public func postProcessed(
    _ transform: @escaping @Sendable (Key, Value) throws -> Value
  ) -> Fetcher {
    Fetcher(cache.postProcessed(transform))
  }

  /// Returns this fetcher with the value of each get transformed by an async function of key and
  /// value.
  ///
  /// - Law: the same laws as for a cache. See `PostProcessedTests.testAFetcherIsPostProcessedToo`.
  @_disfavoredOverload
  public func postProcessed(
    _ transform: @escaping @Sendable (Key, Value) async throws -> Value
  ) -> Fetcher {
    Fetcher(cache.postProcessed(transform))
  }
}
