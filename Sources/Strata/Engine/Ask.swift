/// Calls a function of a key that has come by address, with a copy of the key that goes through
/// registers.
///
/// Never inlined: or the copy would be made in one piece of what a caller has written in two a
/// moment before, for which a processor waits: 12 ns of a `String`, where the whole layer takes 3.
@inlinable
@inline(never)
func ask<Key, Answer>(_ function: (Key) -> Answer, _ key: Key) -> Answer { function(key) }

/// The same, of a function that may throw.
@inlinable
@inline(never)
func ask<Key, Answer>(_ function: (Key) throws -> Answer, _ key: Key) throws -> Answer {
  try function(key)
}
