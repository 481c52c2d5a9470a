/// A pair of functions that decode stored values and encode values for storage.
///
/// A disk or a server stores bytes, but your program needs models, text, or numbers:
///
///     let articles: Cache<String, Article> = disk <*> .json()
///
/// These codecs convert between the two:
///
/// | Stored | Value | Use |
/// |---|---|---|
/// | bytes | a model | `.json()`, or `.propertyList()` |
/// | bytes | JSON without a model | `.jsonValue` |
/// | bytes | text | `.utf8`, or `.string(_:)` for another encoding |
/// | text | bytes | `.base64` |
/// | text | a date or a number | `.date(_:)`, or `.number(_:)` |
/// | fewer bytes | as before | `.compressed(.json())` |
/// | bytes with a version | as before | `.versioned(2, .json())` |
/// | a stamped value | a stamped value | `.stamped(.json())` |
///
/// For a format of your own, write the two functions. The operator `>>>` joins codecs. Here, the
/// disk stores bytes, `.utf8` makes text of them, and `number` makes numbers of the text:
///
///     let number = Codec<String, Int>(
///       decode: { text throws -> Int in
///         guard let number = Int(text) else { throw CocoaError(.coderInvalidValue) }
///         return number
///       },
///       encode: { number throws -> String in String(number) })
///     let counts = disk <*> .utf8 >>> number  // Cache<String, Int>
///
/// Both functions run on the thread that provides the value, unless a disk level moves the work off
/// the main thread. Several threads can call the functions at the same time.
///
/// - Law: A codec that preserves values satisfies `decode(encode(b)) == b`. See `Laws.codec` and
///   `CodecLaws`.
public struct Codec<Stored: Sendable, Value: Sendable>: Sendable {
  /// Decodes a stored value. When this fails, the get of the level fails, so a sum reads the next
  /// level.
  public let decode: @Sendable (Stored) -> Promise<Value>

  /// Encodes a value. When this fails, the value isn't stored.
  public let encode: @Sendable (Value) -> Promise<Stored>

  /// The name of the codec in plans.
  public let label: String

  /// Whether decoding converts values, and so can fail. It's `false` for the identity codec, which
  /// returns values unchanged.
  @usableFromInline var decodes = true
  /// Whether `encode` is known to return a settled promise.
  @usableFromInline package var isPrompt = false

  /// Creates a codec from two functions that return promises.
  ///
  /// - Parameters:
  ///   - label: The name of the codec in plans. The default is `codec`.
  ///   - decode: A closure that decodes a stored value.
  ///   - encode: A closure that encodes a value.
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

  /// Creates a codec from two synchronous functions. When one throws, the operation fails with that
  /// error.
  @_disfavoredOverload
  @inlinable
  public init(
    label: String = "codec",
    decode: @escaping @Sendable (Stored) throws -> Value,
    encode: @escaping @Sendable (Value) throws -> Stored
  ) {
    self.init(
      label: label,
      decode: { stored in Promise(catching: { try decode(stored) }) },
      encode: { value in Promise(catching: { try encode(value) }) })
    isPrompt = true
  }

  /// Creates a codec from two async functions, each call of which runs in a separate task.
  ///
  /// Cancelling a promise cancels its task. A cache with this codec runs the operations of each key
  /// in the order in which they were called.
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

  /// Returns a codec that decodes with this codec and then with `next`, and encodes in the reverse
  /// order.
  ///
  ///     let stamps = Codec.utf8.then(.base64)  // Codec<Data, Data>: Base64 text on disk
  ///
  /// - Complexity: O(1) to build. Each codec is called once for each value.
  /// - Law: `(a >>> b) >>> c == a >>> (b >>> c)` and `a >>> .identity == a == .identity >>> a`. See
  ///   `codecs.associativity`, `codecs.identity`, and `CodecLaws`.
  public func then<NewValue>(_ next: Codec<Value, NewValue>) -> Codec<Stored, NewValue> {
    Codec<Stored, NewValue>(
      label: "\(label) >>> \(next.label)",
      decode: { decode($0).flatMap(next.decode) },
      encode: { next.encode($0).flatMap(encode) }
    ).decoding(decodes || next.decodes, isPrompt: isPrompt && next.isPrompt)
  }

  /// The codec with decoding and encoding swapped.
  ///
  ///     let bytes: Codec<String, Data> = Codec.utf8.inverse
  ///
  /// - Law: `a.inverse.inverse == a` and `(a >>> b).inverse == b.inverse >>> a.inverse`. See
  ///   `codecs.involution`, `codecs.inversion`, and `CodecLaws`.
  public var inverse: Codec<Value, Stored> {
    Codec<Value, Stored>(label: "\(label).inverse", decode: encode, encode: decode)
      .decoding(decodes, isPrompt: isPrompt)
  }

  /// Returns a copy of this codec whose properties `decodes` and `isPrompt` have the given values.
  @usableFromInline
  package func decoding(_ decodes: Bool, isPrompt: Bool) -> Codec {
    var codec = self
    (codec.decodes, codec.isPrompt) = (decodes, isPrompt)
    return codec
  }

  /// A transformer that decodes with this codec.
  ///
  /// - Law: `(a >>> b).decoding == a.decoding >>> b.decoding`. See `CodecLaws`.
  @inlinable
  public var decoding: Transformer<Stored, Value> { Transformer(decode) }

  /// Returns `first.then(second)`. The operator is pronounced "then".
  ///
  /// - Law: The operator satisfies the laws of ``then(_:)``.
  public static func >>> <NewValue>(
    first: Codec, second: Codec<Value, NewValue>
  ) -> Codec<Stored, NewValue> {
    first.then(second)
  }
}

extension Codec where Stored == Value {
  /// A codec that returns values unchanged. This codec is the identity of `>>>`.
  ///
  /// - Law: `a <*> .identity == a`. See `MapValuesLaws`.
  @inlinable
  public static var identity: Codec {
    Codec(label: "identity", decode: { Promise($0) }, encode: { Promise($0) })
      .decoding(false, isPrompt: true)
  }
}

extension CachePlan {
  /// Returns the plan of a cache with values mapped by a codec.
  package static func mappedValues<Stored, Value>(
    _ plan: CachePlan, by codec: Codec<Stored, Value>
  ) -> CachePlan {
    mappedValues(plan, label: codec.label, decodes: codec.decodes)
  }
}
