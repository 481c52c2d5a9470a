// All overloads in this file are unavailable, and their compiler messages explain common mistakes.
// But each overload of an operator multiplies the compiler's work for a wrong expression. With
// three more overloads of `<^>` and `<*>`, the compiler took twice as long to report a mistake
// among four levels. So this file declares no overloads of `<^>` and `<*>`.

/// The body of an unavailable declaration. No program can call it.
package func unavailable() -> Never { fatalError("unavailable") }

extension Cache {
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
  /// Unavailable because a miss is reported by an error. In contrast, `nil` would be a value.
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

  /// Unavailable because a miss is reported by an error. In contrast, `nil` would be a value.
  @available(
    *, unavailable,
    message: "a miss is not nil: throw CacheError.notFound, or return Promise(value, or: error)"
  )
  public init(_ get: @escaping @Sendable (Key) throws -> Value?) {
    unavailable()
  }
}
