/// Takes a value and does nothing with it, of which the optimiser knows nothing: whatever leads to
/// the value has to be done.
@inline(never) @_optimize(none)
func blackHole<Value>(_ value: borrowing Value) {}
