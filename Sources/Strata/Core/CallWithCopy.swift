/// Calls a function with a copy of a key. The copy is passed by address.
///
/// This function is never inlined. In inlined code, two instructions would store the halves of a
/// `String`, and the next instruction would load the whole `String`. The processor would need 12 ns
/// for a load that immediately follows these stores. With this function, mapping a key takes only 3
/// ns in total.
@inlinable
@inline(never)
func callWithCopy<Key, Answer>(
  of key: Key, _ function: (Key) throws -> Answer
) throws -> Answer {
  try function(key)
}
