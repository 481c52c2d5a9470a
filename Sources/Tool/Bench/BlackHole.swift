/// Discards a value, opaquely to the optimizer, which must therefore compute it.
@inline(never) @_optimize(none)
func blackHole<Value>(_ value: borrowing Value) {}
