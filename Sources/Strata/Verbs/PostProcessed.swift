extension Cache {
  /// Returns this cache with each value changed on its way out of a get.
  ///
  /// What is stored stays as it is: a second get changes it anew, writes pass, and what a sum
  /// around it fills in above is the changed value.
  ///
  ///     let loud = pages.postProcessed(Transformer { $0.uppercased() })
  ///
  /// - Parameter transformer: Called once for each hit, on the thread that has the value. If it
  ///   fails, the get fails with its error.
  /// - Complexity: O(1). A hit allocates nothing of its own if the transformer answers at once.
  /// - Law: `a.postProcessed(.identity) == a` and
  ///   `a.postProcessed(s).postProcessed(t) == a.postProcessed(s >>> t)`:
  ///   `postProcessing.identity`, `postProcessing.composition` and others of `Laws.postProcessing`;
  ///   see `PostProcessingLaws`.
  @inlinable
  public func postProcessed(_ transformer: Transformer<Value, Value>) -> Cache {
    let transform = transformer.transform
    return asked("postProcessed") { get in { key in ask(get, key).flatMap(transform) } }
  }

  /// Returns this cache with those values changed on their way out of which a condition holds.
  ///
  /// Other values pass as they are. To have them fail, write
  /// `postProcessed(transformer.conditioned { … })`.
  ///
  ///     let short = Transformer<String, String> { String($0.prefix(1_000)) }
  ///     let shown = pages.postProcessed(short, where: { $0.count > 1_000 })
  ///
  /// - Parameters:
  ///   - transformer: As for all values.
  ///   - isIncluded: Called once for each hit, on the thread that has the value. If it throws, the
  ///     get fails with its error.
  /// - Law: `a.postProcessed(t, where: { _ in true }) == a.postProcessed(t)`, and of a condition
  ///   that never holds it is `a`: `postProcessing.condition`; see `PostProcessingLaws`.
  @inlinable
  public func postProcessed(
    _ transformer: Transformer<Value, Value>,
    where isIncluded: @escaping @Sendable (Value) throws -> Bool
  ) -> Cache {
    let transform = transformer.transform
    let transformSome: @Sendable (Value) throws -> Promise<Value> = { value in
      try isIncluded(value) ? transform(value) : Promise(outcome: .success(value))
    }
    return asked("postProcessed") { get in { key in ask(get, key).flatMap(transformSome) } }
  }

  /// Returns this cache with each value changed on its way out by a function that sees its key.
  ///
  ///     let signed = pages.postProcessed { url, page in page + " from \(url)" }
  ///
  /// - Parameter transform: Called once for each hit, on the thread that has the value. If it
  ///   throws, the get fails with its error.
  /// - Law: a function that ignores the key is the transformer: `postProcessing.keys`; see
  ///   `PostProcessingLaws`.
  @inlinable
  public func postProcessed(
    _ transform: @escaping @Sendable (Key, Value) throws -> Value
  ) -> Cache {
    asked("postProcessed") { get in
      { key in
        let answer = get(key)
        guard case .success(let value) = answer.state else {
          return answer.map { try transform(key, $0) }
        }
        do { return Promise(outcome: .success(try transform(key, value))) } catch {
          return Promise(error: error)
        }
      }
    }
  }

  /// Returns this cache with each value changed by a function that sees its key and may take its
  /// time.
  ///
  /// - Parameter transform: As for a function that answers at once; a get that is cancelled
  ///   meanwhile withdraws from its promise.
  /// - Law: as for a function that answers at once; see `PostProcessingLaws`.
  @_disfavoredOverload
  @inlinable
  public func postProcessed(
    _ transform: @escaping @Sendable (Key, Value) -> Promise<Value>
  ) -> Cache {
    asked("postProcessed") { get in
      { key in
        let answer = get(key)
        guard case .success(let value) = answer.state else {
          return answer.flatMap { transform(key, $0) }
        }
        return transform(key, value)
      }
    }
  }

  /// Returns this cache with each value changed by an async function that sees its key.
  ///
  /// - Parameter transform: As for a promise; each call has a task of its own, which is cancelled
  ///   with the get.
  /// - Law: as for a promise.
  @_disfavoredOverload
  public func postProcessed(
    _ transform: @escaping @Sendable (Key, Value) async throws -> Value
  ) -> Cache {
    postProcessed { key, value -> Promise<Value> in Promise { try await transform(key, value) } }
  }
}

extension Fetcher {
  /// Returns this fetcher with each value changed on its way out; see
  /// ``Cache/postProcessed(_:)-(Transformer<Value,Value>)``.
  ///
  /// - Law: `f.postProcessed(t) == f.mapValues(t)`; see
  ///   `PostProcessedTests.testAFetcherIsPostProcessedToo`.
  @inlinable
  public func postProcessed(_ transformer: Transformer<Value, Value>) -> Fetcher {
    Fetcher(cache.postProcessed(transformer))
  }

  /// Returns this fetcher with those values changed of which a condition holds.
  ///
  /// - Law: as for a cache.
  @inlinable
  public func postProcessed(
    _ transformer: Transformer<Value, Value>,
    where isIncluded: @escaping @Sendable (Value) throws -> Bool
  ) -> Fetcher {
    Fetcher(cache.postProcessed(transformer, where: isIncluded))
  }

  /// Returns this fetcher with each value changed by a function that sees its key.
  ///
  /// - Law: as for a cache.
  @inlinable
  public func postProcessed(
    _ transform: @escaping @Sendable (Key, Value) throws -> Value
  ) -> Fetcher {
    Fetcher(cache.postProcessed(transform))
  }

  /// Returns this fetcher with each value changed by a function that sees its key and may take its
  /// time.
  ///
  /// - Law: as for a cache.
  @_disfavoredOverload
  @inlinable
  public func postProcessed(
    _ transform: @escaping @Sendable (Key, Value) -> Promise<Value>
  ) -> Fetcher {
    Fetcher(cache.postProcessed(transform))
  }

  /// Returns this fetcher with each value changed by an async function that sees its key.
  ///
  /// - Law: as for a cache.
  @_disfavoredOverload
  @inlinable
  public func postProcessed(
    _ transform: @escaping @Sendable (Key, Value) async throws -> Value
  ) -> Fetcher {
    Fetcher(cache.postProcessed(transform))
  }
}
