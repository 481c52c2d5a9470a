extension Transformer {
  /// Returns this transformer for those values only of which a condition holds.
  ///
  /// Any other fails with ``CacheError/conditionNotSatisfied``, a miss, and is not transformed.
  ///
  ///     let digits = Transformer<String, Int> { Int($0) ?? 0 }.conditioned { $0.count < 9 }
  ///
  /// - Parameter condition: Called once for each value, on the thread that has it. If it throws, the
  ///   transformation fails with its error.
  /// - Law: `t.conditioned { _ in true } == t`, as either half of a codec: `condition.freeCodecs`; see
  ///   `ConditionLaws`.
  @inlinable
  public func conditioned(
    _ condition: @escaping @Sendable (Input) throws -> Bool
  ) -> Transformer {
    let transform = transform
    return Transformer { input in
      do {
        return try condition(input)
          ? transform(input) : Promise(error: CacheError.conditionNotSatisfied)
      } catch { return Promise(error: error) }
    }
  }

  /// Returns this transformer under a condition that may take its time.
  ///
  /// - Parameter condition: As for a function that answers at once; its failure is that of the
  ///   transformation.
  /// - Law: as for a function that answers at once; see `ConditionLaws`.
  @_disfavoredOverload
  @inlinable
  public func conditioned(
    _ condition: @escaping @Sendable (Input) -> Promise<Bool>
  ) -> Transformer {
    let transform = transform
    return Transformer { input in
      condition(input).flatMap { isMet in
        isMet ? transform(input) : Promise(error: CacheError.conditionNotSatisfied)
      }
    }
  }

  /// Returns this transformer under an async condition, each call in a task of its own.
  ///
  /// - Law: as for a promise.
  @_disfavoredOverload
  public func conditioned(
    _ condition: @escaping @Sendable (Input) async throws -> Bool
  ) -> Transformer {
    conditioned { input -> Promise<Bool> in Promise { try await condition(input) } }
  }
}

extension Codec {
  /// Returns this codec with a condition for each direction.
  ///
  /// A value of which the condition of its direction does not hold fails with
  /// ``CacheError/conditionNotSatisfied``: what is not read is a miss, and the level beneath answers;
  /// what is not written fails its `set`, and is not stored.
  ///
  ///     let short = Codec.utf8.conditioned(encoding: { $0.count < 1_000 })  // reads all there is
  ///
  /// - Parameters:
  ///   - reads: Whether a stored value is to be read; called once for each, on the thread that has
  ///     it. If it throws, the reading fails with its error.
  ///   - writes: Whether a value is to be written; called likewise.
  /// - Law: `c.conditioned() == c`, and each direction of it is that of the transformer:
  ///   `condition.codecs`; see `ConditionLaws`.
  public func conditioned(
    decoding reads: @escaping @Sendable (Stored) throws -> Bool = { _ in true },
    encoding writes: @escaping @Sendable (Value) throws -> Bool = { _ in true }
  ) -> Codec {
    Codec(
      label: "\(label).conditioned()", decode: decoding.conditioned(reads).transform,
      encode: inverse.decoding.conditioned(writes).transform)
  }

  /// Returns this codec with conditions that may take their time.
  ///
  /// - Parameters:
  ///   - reads: Whether a stored value is to be read; its failure is that of the reading.
  ///   - writes: Whether a value is to be written; its failure is that of the writing.
  /// - Law: as for functions that answer at once; see `ConditionLaws`.
  @_disfavoredOverload
  public func conditioned(
    decoding reads: @escaping @Sendable (Stored) -> Promise<Bool> = { _ in Promise(true) },
    encoding writes: @escaping @Sendable (Value) -> Promise<Bool> = { _ in Promise(true) }
  ) -> Codec {
    Codec(
      label: "\(label).conditioned()", decode: decoding.conditioned(reads).transform,
      encode: inverse.decoding.conditioned(writes).transform)
  }

  /// Returns this codec with async conditions, each call in a task of its own.
  ///
  /// - Law: as for promises.
  @_disfavoredOverload
  public func conditioned(
    decoding reads: @escaping @Sendable (Stored) async throws -> Bool = { _ in true },
    encoding writes: @escaping @Sendable (Value) async throws -> Bool = { _ in true }
  ) -> Codec {
    Codec(
      label: "\(label).conditioned()", decode: decoding.conditioned(reads).transform,
      encode: inverse.decoding.conditioned(writes).transform)
  }
}
