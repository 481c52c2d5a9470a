// Keys enter from the left, and values leave to the right: `key <^> level <*> codec`. Levels add
// up. All three operators bind tighter than `+`, so
// `\.absoluteString <^> .disk() <*> .utf8 >>> .base64 + lower` needs no parentheses. `+` is the
// standard library's operator: "over", `(Cache<K, V>, Cache<K, V>) -> Cache<K, V>`, or the method
// `upper.backed(by: lower)`.
//
// Other modules declare operators with the same names: `<^>` and `<*>` for functors and
// applicatives. In a file that imports both modules, the compiler reports the operators as
// ambiguous. A declaration in the file itself wins: see the article
// TwoModulesThatDeclareTheOperator.

/// The precedence of `<*>`, which maps values. Left-associative: `level <*> bytes <*> text`.
precedencegroup ValueMapPrecedence {
  associativity: left
  higherThan: AdditionPrecedence
}

/// The precedence of `<^>`, which maps keys. Right-associative: `outer <^> inner <^> level`.
precedencegroup KeyMapPrecedence {
  associativity: right
  higherThan: ValueMapPrecedence
}

/// The precedence of `>>>`, which composes transformations. Left-associative, and the highest of
/// the three.
precedencegroup ForwardCompositionPrecedence {
  associativity: left
  higherThan: KeyMapPrecedence
}

/// "Keyed by", or the method `cache.mapKeys(f)`: maps keys on their way into the cache.
///
/// `((NewKey) throws -> Key, Cache<Key, Value>) -> Cache<NewKey, Value>`, and the same for a
/// fetcher.
infix operator <^> : KeyMapPrecedence

/// "Decoded by", or the method `cache.mapValues(codec)`: maps values on their way out of the cache.
///
/// `(Cache<Key, Value>, Codec<Value, NewValue>) -> Cache<Key, NewValue>`, and the same for a
/// fetcher. A fetcher also accepts a function `(Value) throws -> NewValue`. The operator is then
/// pronounced "changed by".
infix operator <*> : ValueMapPrecedence

/// "Then", or the method `a.then(b)`: joins two codecs, or two transformers.
///
/// `(Codec<A, B>, Codec<B, C>) -> Codec<A, C>`.
infix operator >>> : ForwardCompositionPrecedence
