// What is often written by mistake, answered in words. Each overload costs every user compile time:
// the tests of wrong programs bound it.

extension Cache {
  /// Not there: a cache that is written to needs both directions.
  @available(
    *, unavailable,
    message: "a Cache needs both directions: give <*> a Codec, or write fetcher first, to read only"
  )
  @_disfavoredOverload
  public static func <*> <NewValue>(
    cache: Cache, transform: @escaping @Sendable (Value) throws -> NewValue
  ) -> Cache<Key, NewValue> {
    .empty
  }

  /// Not there: the function stands on the left.
  @available(
    *, unavailable, message: "keys enter from the left: write transform <^> cache"
  )
  public static func <^> <NewKey>(
    cache: Cache, transform: @escaping @Sendable (NewKey) throws -> Key
  ) -> Cache<NewKey, Value> {
    .empty
  }

  /// Not there: the codec stands on the right.
  @available(
    *, unavailable, message: "values leave to the right: write cache <*> codec"
  )
  @_disfavoredOverload
  public static func <*> <NewValue>(
    codec: Codec<Value, NewValue>, cache: Cache
  ) -> Cache<Key, NewValue> {
    .empty
  }

  /// Not there: the levels of a sum have one type of key and one of value.
  @available(
    *, unavailable,
    message: "the levels of a sum have the same keys and values: map them with <^> and <*> first"
  )
  @_disfavoredOverload
  public static func + <OtherKey, OtherValue>(
    upper: Cache, lower: Cache<OtherKey, OtherValue>
  ) -> Cache {
    upper
  }
}

extension Cache {
  /// Not there: what is absent is an error, since `nil` may be a value.
  @available(
    *, unavailable,
    message: "a miss is not nil: throw CacheError.notFound, or return Promise(value, or: error)"
  )
  @_disfavoredOverload
  public init(
    get: @escaping @Sendable (Key) throws -> Value?,
    set: @escaping @Sendable (Key, Value) throws -> Void = { _, _ in },
    remove: @escaping @Sendable (Key) throws -> Void = { _ in },
    clear: @escaping @Sendable () throws -> Void = {},
    memoryWarning: @escaping @Sendable () -> Void = {}
  ) {
    self = .empty
  }
}

extension Fetcher {
  /// Not there: what is absent is an error, since `nil` may be a value.
  @available(
    *, unavailable,
    message: "a miss is not nil: throw CacheError.notFound, or return Promise(value, or: error)"
  )
  @_disfavoredOverload
  public init(_ get: @escaping @Sendable (Key) async throws -> Value?) {
    self = Cache.empty.fetcher
  }
}
