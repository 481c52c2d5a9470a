/// Two functions, there and back: how a stored value is read and how it is written.
///
///     let number = Codec<String, Int>(
///       decode: { text throws -> Int in
///         guard let number = Int(text) else { throw CocoaError(.coderInvalidValue) }
///         return number
///       },
///       encode: { number throws -> String in String(number) })
///     let counts = disk <*> .utf8 >>> number  // Cache<String, Int>
///
/// Both functions are called on the thread that has the value, from several threads at a time.
///
/// - Law: a codec that is to keep what it is given answers `decode(encode(b)) == b`; see
///   `CodecLaws`.
public struct Codec<Stored: Sendable, Value: Sendable>: Sendable {
  /// Reads a stored value; a failure is one of the level alone, and the level beneath is asked.
  public let decode: @Sendable (Stored) -> Promise<Value>

  /// Writes a value as it is stored; after a failure nothing is stored.
  public let encode: @Sendable (Value) -> Promise<Stored>

  /// What plans call it.
  public let label: String

  /// Makes a codec of two functions that answer with promises.
  ///
  /// - Parameters:
  ///   - label: What plans call it.
  ///   - decode: Reads a stored value.
  ///   - encode: Writes a value as it is stored.
  public init(
    label: String = "codec",
    decode: @escaping @Sendable (Stored) -> Promise<Value>,
    encode: @escaping @Sendable (Value) -> Promise<Stored>
  ) {
    self.label = label
    self.decode = decode
    self.encode = encode
  }

  /// Makes a codec of two functions that answer at once; what they throw is the failure.
  @_disfavoredOverload
  public init(
    label: String = "codec",
    decode: @escaping @Sendable (Stored) throws -> Value,
    encode: @escaping @Sendable (Value) throws -> Stored
  ) {
    self.init(
      label: label,
      decode: { stored in Promise(catching: { try decode(stored) }) },
      encode: { value in Promise(catching: { try encode(value) }) })
  }

  /// Makes a codec of two async functions, each call in a task of its own.
  ///
  /// Cancelling the promise cancels the task. The operations of one key keep their order.
  @_disfavoredOverload
  public init(
    label: String = "codec",
    decode: @escaping @Sendable (Stored) async throws -> Value,
    encode: @escaping @Sendable (Value) async throws -> Stored
  ) {
    self.init(
      label: label,
      decode: { stored in Promise { try await decode(stored) } },
      encode: { value in Promise { try await encode(value) } })
  }

  /// Returns the codec that reads through this and then through `next`, and writes the other way.
  ///
  ///     let stamps = Codec.utf8.then(.base64)  // Codec<Data, Data>: Base64 text on disk
  ///
  /// - Complexity: O(1) to build; one call of each for a value.
  /// - Law: `(a >>> b) >>> c == a >>> (b >>> c)` and `a >>> .identity == a == .identity >>> a`; see
  ///   `CodecLaws`.
  public func then<NewValue>(_ next: Codec<Value, NewValue>) -> Codec<Stored, NewValue> {
    Codec<Stored, NewValue>(
      label: "\(label) >>> \(next.label)",
      decode: { decode($0).flatMap(next.decode) },
      encode: { next.encode($0).flatMap(encode) })
  }

  /// The same codec the other way round.
  ///
  ///     let bytes: Codec<String, Data> = Codec.utf8.inverse
  ///
  /// - Law: `a.inverse.inverse == a` and `(a >>> b).inverse == b.inverse >>> a.inverse`; see
  ///   `CodecLaws`.
  public var inverse: Codec<Value, Stored> {
    Codec<Value, Stored>(label: "\(label).inverse", decode: encode, encode: decode)
  }

  /// The reading half.
  ///
  /// - Law: `(a >>> b).decoding == a.decoding >>> b.decoding`; see `CodecLaws`.
  public var decoding: Transformer<Stored, Value> { Transformer(decode) }

  /// "Then": `first.then(second)`.
  ///
  /// - Law: as ``then(_:)``.
  public static func >>> <NewValue>(
    first: Codec, second: Codec<Value, NewValue>
  ) -> Codec<Stored, NewValue> {
    first.then(second)
  }
}

extension Codec where Stored == Value {
  /// The codec that changes nothing: the identity of `>>>`.
  ///
  /// - Law: `a <*> .identity == a`; see `MapValuesLaws`.
  public static var identity: Codec {
    Codec(label: "identity", decode: { Promise($0) }, encode: { Promise($0) })
  }
}
