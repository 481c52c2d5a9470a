extension Transformer {
  /// Returns this transformer restricted to the values that satisfy a condition.
  ///
  /// When a value doesn't satisfy the condition, the transformation fails with
  /// ``CacheError/conditionNotSatisfied``, which is a miss.
  ///
  ///     let digits = Transformer<String, Int> { Int($0) ?? 0 }.conditioned { $0.count < 9 }
  ///
  /// - Parameter condition: A closure that returns whether to transform a value. It runs once for
  ///   each value, on the thread that provides the value. When it throws, the transformation fails
  ///   with that error.
  /// - Law: `t.conditioned { _ in true } == t`, checked for the `decode` and the `encode` of
  ///   codecs. See the law `condition.freeCodecs` in `ConditionLaws`.
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

  /// Returns this transformer restricted to the values that satisfy an async condition.
  ///
  /// When a value doesn't satisfy the condition, the transformation fails with
  /// ``CacheError/conditionNotSatisfied``, which is a miss.
  ///
  /// - Parameter condition: A closure that returns whether to transform a value. It runs once for
  ///   each value, in a new task. When it throws, the transformation fails with that error.
  /// - Law: `t.conditioned { _ in true } == t`. See
  ///   `CodecConditionedTests.testAnAsyncConditionDelaysTheValue`.
  public func conditioned(
    _ condition: @escaping @Sendable (Input) async throws -> Bool
  ) -> Transformer {
    let transform = transform
    return Transformer { input in
      Promise<Bool> { try await condition(input) }.flatMap { isMet in
        isMet ? transform(input) : Promise(error: CacheError.conditionNotSatisfied)
      }
    }
  }
}

extension Codec {
  /// Returns this codec with one condition for decoding and one for encoding.
  ///
  /// When a value doesn't satisfy its condition, decoding or encoding fails with
  /// ``CacheError/conditionNotSatisfied``. So a get of such a stored value is a miss, and a sum
  /// reads the next level. But a `set` of such a new value fails and stores nothing.
  ///
  ///     let short = Codec.utf8.conditioned(encoding: { $0.count < 1_000 })  // decodes any length
  ///
  /// - Parameters:
  ///   - reads: A closure that returns whether to decode a stored value. It runs once for each
  ///     value, on the thread that provides the value. When it throws, decoding fails with that
  ///     error. By default, every value is decoded.
  ///   - writes: A closure that returns whether to encode a value. It runs once for each value, on
  ///     the thread that provides the value. When it throws, encoding fails with that error. By
  ///     default, every value is encoded.
  /// - Law: `c.conditioned() == c`. In addition, `c.conditioned(decoding: p).decoding` equals
  ///   `c.decoding.conditioned(p)`, and encoding has the same law. See the law `condition.codecs`
  ///   in `ConditionLaws`.
  @inlinable
  public func conditioned(
    decoding reads: @escaping @Sendable (Stored) throws -> Bool = { _ in true },
    encoding writes: @escaping @Sendable (Value) throws -> Bool = { _ in true }
  ) -> Codec {
    conditioned(decoding.conditioned(reads), inverse.decoding.conditioned(writes))
  }

  /// Returns this codec with one async condition for decoding and one for encoding.
  ///
  /// When a value doesn't satisfy its condition, decoding or encoding fails with
  /// ``CacheError/conditionNotSatisfied``.
  ///
  /// - Parameters:
  ///   - reads: A closure that returns whether to decode a stored value. It runs once for each
  ///     value, in a new task. When it throws, decoding fails with that error. By default, every
  ///     value is decoded.
  ///   - writes: A closure that returns whether to encode a value. It runs once for each value, in
  ///     a new task. When it throws, encoding fails with that error. By default, every value is
  ///     encoded.
  /// - Law: As transformers, `c.conditioned(decoding: p).decoding` and `c.decoding.conditioned(p)`
  ///   are equal, and encoding has the same law. See
  ///   `CodecConditionedTests.testAnAsyncConditionIsOneToo`.
  public func conditioned(
    decoding reads: @escaping @Sendable (Stored) async throws -> Bool = { _ in true },
    encoding writes: @escaping @Sendable (Value) async throws -> Bool = { _ in true }
  ) -> Codec {
    conditioned(decoding.conditioned(reads), inverse.decoding.conditioned(writes))
  }

  @usableFromInline
  func conditioned(
    _ decoding: Transformer<Stored, Value>, _ encoding: Transformer<Value, Stored>
  ) -> Codec {
    Codec(
      label: "\(label).conditioned()", decode: decoding.transform, encode: encoding.transform)
  }
}
