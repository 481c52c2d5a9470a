extension Cache {
  /// Returns a cache that transforms the value of each get.
  ///
  /// Each get transforms the value again, because this cache stores the original value. Writes
  /// transform nothing. But a sum copies the transformed value into the levels above.
  ///
  ///     let loud = pages.postProcessed(Transformer { $0.uppercased() })
  ///
  /// - Parameter transformer: A transformer of values. It runs once for each hit, on the thread
  ///   that delivers the value. When it fails, the get fails with the same error.
  /// - Complexity: O(1). With a synchronous transformer, hits don't allocate.
  /// - Law: `a.postProcessed(.identity) == a` and `a.postProcessed(s).postProcessed(t) ==
  ///   a.postProcessed(s >>> t)`. See `postProcessing.identity`, `postProcessing.composition`, and
  ///   the other laws of `Laws.postProcessing`, checked by `PostProcessingLaws`.
  @inlinable
  public func postProcessed(_ transformer: Transformer<Value, Value>) -> Cache {
    if transformer.isIdentity { return postProcessedByIdentity() }
    let transform = transformer.transform
    return postProcessed(with: { _, value in transform(value) })
  }

  /// Returns a cache that transforms the value of each get with a function that receives the key
  /// and the value.
  ///
  ///     let signed = pages.postProcessed { url, page in page + " from \(url)" }
  ///
  /// - Parameter transform: A closure that transforms a value. It runs once for each hit, on the
  ///   thread that delivers the value. When it throws, the get fails with that error.
  /// - Law: A function that ignores the key behaves like a `Transformer`. See
  ///   `postProcessing.keys`, checked by `PostProcessingLaws`.
  @inlinable
  public func postProcessed(
    _ transform: @escaping @Sendable (Key, Value) throws -> Value
  ) -> Cache {
    postProcessed(with: { key, value in Promise(catching: { try transform(key, value) }) })
  }

  /// Returns a cache that transforms the value of each get with an async function that receives the
  /// key and the value.
  ///
  /// - Parameter transform: A closure that transforms a value. It runs once for each hit, in a
  ///   separate task, which is cancelled with the get. When it throws, the get fails with that
  ///   error.
  /// - Law: A function that ignores the key behaves like a `Transformer`. See `PostProcessingLaws`.
  @_disfavoredOverload
  @inlinable
  public func postProcessed(
    _ transform: @escaping @Sendable (Key, Value) async throws -> Value
  ) -> Cache {
    postProcessed(with: { key, value in Promise { try await transform(key, value) } })
  }

  /// Returns a cache that transforms the value of each get with a function that returns a promise.
  @inlinable
  package func postProcessed(
    with transform: @escaping @Sendable (Key, Value) -> Promise<Value>
  ) -> Cache {
    let late = Cache.transforming(transform)
    return postProcessed { get in
      { key in Cache.transformedHit(of: key, get, transform, late) }
    }
  }

  @usableFromInline
  func postProcessedByIdentity() -> Cache { unchanged(by: .verb(plan, "postProcessed")) }

  @usableFromInline
  func postProcessed(get: @escaping GetTransform<Value>) -> Cache {
    transformingGet("postProcessed", [:], get)
  }
}
