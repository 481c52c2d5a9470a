// Keys enter from the left, values leave to the right: `key <^> level <*> codec`, and levels add
// up. All three bind tighter than `+`, so
// `\.absoluteString <^> .disk() <*> .utf8 >>> .base64 + lower` needs no parentheses. `+` is the
// standard library's: "over", `(Cache<K, V>, Cache<K, V>) -> Cache<K, V>`, in words
// `upper.backed(by: lower)`.
//
// Other modules declare operators of the same names (`<^>` and `<*>` as functor and applicative). A
// file that imports both sees two precedence groups and the compiler calls their use ambiguous:
// import such a module only in files that do not compose caches, or use the named twins there.

/// Of `<*>`, which changes what values come out. To the left: `level <*> bytes <*> text`.
precedencegroup ValueMapPrecedence {
  associativity: left
  higherThan: AdditionPrecedence
}

/// Of `<^>`, which changes what keys go in. To the right: `outer <^> inner <^> level`.
precedencegroup KeyMapPrecedence {
  associativity: right
  higherThan: ValueMapPrecedence
}

/// Of `>>>`, which puts transformations one after another. To the left, tightest of the three.
precedencegroup ForwardCompositionPrecedence {
  associativity: left
  higherThan: KeyMapPrecedence
}

/// "Keyed by", in words `cache.mapKeys(f)`: changes what keys go in.
///
/// `((NewKey) throws -> Key, Cache<Key, Value>) -> Cache<NewKey, Value>`, and the same of a
/// fetcher.
infix operator <^> : KeyMapPrecedence

/// "Decoded by", in words `cache.mapValues(codec)`: changes what values come out.
///
/// `(Cache<Key, Value>, Codec<Value, NewValue>) -> Cache<Key, NewValue>`, and the same of a
/// fetcher, for which a function `(Value) throws -> NewValue` is enough: it is then read "changed
/// by".
infix operator <*> : ValueMapPrecedence

/// "Then", in words `a.then(b)`: joins two codecs, or two transformers.
///
/// `(Codec<A, B>, Codec<B, C>) -> Codec<A, C>`.
infix operator >>> : ForwardCompositionPrecedence
