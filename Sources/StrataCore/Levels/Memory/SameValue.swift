/// Returns whether two values are the same object, so that replacing one with the other changes
/// nothing.
///
/// The function compares class instances, without their stamps. Values of any other type never
/// count as the same. For example, the bytes of two equal strings are equal only if the strings are
/// short.
@usableFromInline
@inline(never)
func isSameValue<Value>(_ one: Value, _ other: Value) -> Bool {
  if let one = one as? any Wrapping, let other = other as? any Wrapping {
    return isSameWrapped(one, other)
  }
  // The type of the value in a box. Without the casts, it would be the type of the box.
  guard type(of: one as Any) is AnyObject.Type, type(of: other as Any) is AnyObject.Type
  else { return false }
  return one as AnyObject === other as AnyObject
}

private func isSameWrapped<Wrapper: Wrapping>(_ one: Wrapper, _ other: any Wrapping) -> Bool {
  guard let other = other as? Wrapper else { return false }
  return isSameValue(one.wrapped, other.wrapped)
}
