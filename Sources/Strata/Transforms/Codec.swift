/// Two functions, there and back: how a stored value is read and how it is written.
///
///     let text: Codec<Data, String> = .utf8
///     let number = text >>> Codec(decode: { Int($0)! }, encode: { String($0) })
///
/// - Law: a codec that is to keep what it is given answers `decode(encode(b)) == b`.
public struct Codec<Stored: Sendable, Value: Sendable>: Sendable {
  /// Reads a stored value.
  public let decode: @Sendable (Stored) -> Promise<Value>

  /// Writes a value as it is stored.
  public let encode: @Sendable (Value) -> Promise<Stored>

  /// What plans call it.
  public let label: String

  /// Makes a codec of two functions that answer with promises.
  @inlinable
  public init(
    label: String = "codec",
    decode: @escaping @Sendable (Stored) -> Promise<Value>,
    encode: @escaping @Sendable (Value) -> Promise<Stored>
  ) {
    self.label = label
    self.decode = decode
    self.encode = encode
  }

  /// Makes a codec of two functions that answer at once, or throw.
  @_disfavoredOverload
  @inlinable
  public init(
    label: String = "codec",
    decode: @escaping @Sendable (Stored) throws -> Value,
    encode: @escaping @Sendable (Value) throws -> Stored
  ) {
    self.init(
      label: label,
      decode: { stored in
        do { return Promise(try decode(stored)) } catch { return Promise(error: error) }
      },
      encode: { value in
        do { return Promise(try encode(value)) } catch { return Promise(error: error) }
      })
  }

  /// Makes a codec of two async functions, each call in a task of its own.
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
  /// - Law: `(a >>> b) >>> c == a >>> (b >>> c)` and `a >>> .identity == a`; see `CodecLaws`.
  public func then<NewValue>(_ next: Codec<Value, NewValue>) -> Codec<Stored, NewValue> {
    Codec<Stored, NewValue>(
      label: "\(label) >>> \(next.label)",
      decode: { decode($0).flatMap(next.decode) },
      encode: { next.encode($0).flatMap(encode) })
  }

  /// The same codec the other way round.
  ///
  /// - Law: `a.inverse.inverse == a`; see `CodecLaws.testInverseOfInverseIsTheCodec`.
  public var inverse: Codec<Value, Stored> {
    Codec<Value, Stored>(label: "\(label).inverse", decode: encode, encode: decode)
  }

  /// The reading half.
  public var decoding: Transformer<Stored, Value> { Transformer(decode) }

  /// "Then": `first.then(second)`.
  public static func >>> <NewValue>(
    first: Codec, second: Codec<Value, NewValue>
  ) -> Codec<Stored, NewValue> {
    first.then(second)
  }
}

extension Codec where Stored == Value {
  /// The codec that changes nothing.
  public static var identity: Codec {
    Codec(label: "identity", decode: { Promise($0) }, encode: { Promise($0) })
  }
}
