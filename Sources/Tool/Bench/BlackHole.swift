/// Discards a value. The optimizer can't inline this function, so it can't remove the computation
/// of the value.
@inline(never) @_optimize(none)
func blackHole<Value>(_ value: borrowing Value) {}
