// The overloads in this file are unavailable, and their compiler messages explain common mistakes.
// Each overload makes compilation slower for every user, so the diagnostics tests limit the compile
// time.

/// The body of an unavailable declaration, which no program can call.
func unavailable() -> Never { fatalError("unavailable") }

extension Cache {
  /// Unavailable because a writable cache needs a codec, which maps values in both directions.
  @available(
    *, unavailable,
    message:
      "<*> takes a Codec, which maps both ways: to map values only for reading, use mapValues"
  )
  @_disfavoredOverload
  public static func <*> <NewValue>(
    cache: Cache, transform: @escaping @Sendable (Value) throws -> NewValue
  ) -> Cache<Key, NewValue> {
    unavailable()
  }

  /// Unavailable because the key function must be the left operand.
  @available(
    *, unavailable, message: "keys enter from the left: write transform <^> cache"
  )
  public static func <^> <NewKey>(
    cache: Cache, transform: @escaping @Sendable (NewKey) throws -> Key
  ) -> Cache<NewKey, Value> {
    unavailable()
  }

  /// Unavailable because the codec must be the right operand.
  @available(
    *, unavailable, message: "values leave to the right: write cache <*> codec"
  )
  @_disfavoredOverload
  public static func <*> <NewValue>(
    codec: Codec<Value, NewValue>, cache: Cache
  ) -> Cache<Key, NewValue> {
    unavailable()
  }

  /// Unavailable because all levels of a sum must have the same key type and the same value type.
  @available(
    *, unavailable,
    message: "the levels of a sum have the same keys and values: map them with <^> and <*> first"
  )
  @_disfavoredOverload
  public static func + <OtherKey, OtherValue>(
    upper: Cache, lower: Cache<OtherKey, OtherValue>
  ) -> Cache {
    unavailable()
  }
}

extension Cache {
  /// Unavailable because a miss is reported by an error. A `nil` result would be a value, not a
  /// miss.
  @available(
    *, unavailable,
    message: "a miss is not nil: throw CacheError.notFound, or return Promise(value, or: error)"
  )
  @_disfavoredOverload
  public init(
    get: @escaping @Sendable (Key) throws -> Value?,
    set: @escaping @Sendable (Key, Value) throws -> Void,
    remove: @escaping @Sendable (Key) throws -> Void = { _ in },
    clear: @escaping @Sendable () throws -> Void = {},
    memoryWarning: @escaping @Sendable () -> Void = {}
  ) {
    unavailable()
  }

  /// Unavailable because a miss is reported by an error. A `nil` result would be a value, not a
  /// miss.
  @available(
    *, unavailable,
    message: "a miss is not nil: throw CacheError.notFound, or return Promise(value, or: error)"
  )
  public init(_ get: @escaping @Sendable (Key) throws -> Value?) {
    unavailable()
  }
}
