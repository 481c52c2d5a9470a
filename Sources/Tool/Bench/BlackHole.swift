/// Discards a value. Because the optimizer can't inline this function, it can't remove the
/// computation of the value.
@inline(never) @_optimize(none)
func blackHole<Value>(_ value: borrowing Value) {}
