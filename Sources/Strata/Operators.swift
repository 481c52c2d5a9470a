// Keys enter from the left, values leave to the right: `key <^> level <*> codec`, and levels add up.
// All three bind tighter than `+`, so `\.absoluteString <^> .disk() <*> .utf8 >>> .jsonText + …`
// needs no parentheses.
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

/// "Keyed by": `f <^> cache` is `cache.mapKeys(f)`.
infix operator <^> : KeyMapPrecedence

/// "Decoded by": `cache <*> codec` is `cache.mapValues(codec)`.
infix operator <*> : ValueMapPrecedence

/// "Then": `a >>> b` is `a.then(b)`.
infix operator >>> : ForwardCompositionPrecedence
