// Key maps are on the left of a level, and codecs are on the right: `key <^> level <*> codec`. All
// three operators in this file bind more tightly than `+`, so
// `\.absoluteString <^> .disk("pages") <*> .utf8 >>> .base64 + lower` needs no parentheses. For
// sums, Strata overloads the standard library's operator `+` with the type
// `(Cache<K, V>, Cache<K, V>) -> Cache<K, V>`. This operator is pronounced "over", and as a method,
// it's `upper.backed(by: lower)`.
//
// Some other modules also declare `<^>` and `<*>`, as operators for functors and applicatives. When
// a file imports both such a module and Strata, the compiler reports that the operators are
// ambiguous. To prevent this error, declare `<^>` and `<*>` again in that file. See the article
// TwoModulesThatDeclareTheOperator.

/// The precedence of `<*>`, which maps values. It's left-associative: `level <*> bytes <*> text`.
precedencegroup ValueMapPrecedence {
  associativity: left
  higherThan: AdditionPrecedence
}

/// The precedence of `<^>`, which maps keys. It's right-associative: `outer <^> inner <^> level`.
precedencegroup KeyMapPrecedence {
  associativity: right
  higherThan: ValueMapPrecedence
}

/// The precedence of `>>>`, which composes transformations. It's left-associative, and higher than
/// the precedences of `<^>` and `<*>`.
precedencegroup ForwardCompositionPrecedence {
  associativity: left
  higherThan: KeyMapPrecedence
}

/// Maps keys on their way into the cache, like the method `cache.mapKeys(f)`. It's pronounced
/// "keyed by".
///
/// Its type is `((NewKey) throws -> Key, Cache<Key, Value>) -> Cache<NewKey, Value>`. For a
/// ``Transformer``, use the method: if the operator had a second overload, the compiler would no
/// longer name a misspelled key path.
infix operator <^> : KeyMapPrecedence

/// Decodes values on their way out of the cache, and encodes them on their way in, like the method
/// `cache.mapValues(codec)`. It's pronounced "decoded by".
///
/// Its type is `(Cache<Key, Value>, Codec<Value, NewValue>) -> Cache<Key, NewValue>`.
infix operator <*> : ValueMapPrecedence

/// Joins two codecs or two transformers, like the method `a.then(b)`. It's pronounced "then".
///
/// Its type is `(Codec<A, B>, Codec<B, C>) -> Codec<A, C>`.
infix operator >>> : ForwardCompositionPrecedence
