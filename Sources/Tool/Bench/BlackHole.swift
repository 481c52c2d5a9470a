/// Discards a value. The optimizer can't see that, so it must compute the value.
@inline(never) @_optimize(none)
func blackHole<Value>(_ value: borrowing Value) {}
