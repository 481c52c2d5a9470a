/// Calls a function with a copy of a key. The key arrives by address.
///
/// Never inlined. After inlining, the copy would read a `String` in one piece right after a caller
/// has stored it in two pieces. The processor would wait 12 ns for such a read, while the whole
/// layer takes 3 ns.
@inlinable
@inline(never)
func callWithCopy<Key, Answer>(
  of key: Key, _ function: (Key) throws -> Answer
) throws -> Answer {
  try function(key)
}
