/// Whether two values are the same one, so that storing one over the other changes nothing: the same
/// object, or a structure of the same objects and numbers.
///
/// Compares the bytes of the values, without their stamps. Equal values that are stored at different
/// addresses, such as two long strings, aren't the same. Values without any object, such as numbers,
/// are never the same: nothing depends on which copy of a number is in the level. Of a type such as
/// `any Sendable`, only objects are compared, because the other bytes of a protocol type have no
/// meaning.
@usableFromInline
@inline(never)
func isSameValue<Value>(_ one: Value, _ other: Value) -> Bool {
  if let one = one as? any Wrapping, let other = other as? any Wrapping {
    return isSameWrapped(one, other)
  }
  if _isPOD(Value.self) { return false }
  // The type of the value in a box. Without the casts, it would be the type of the box.
  if type(of: one as Any) is AnyObject.Type {
    return type(of: other as Any) is AnyObject.Type && one as AnyObject === other as AnyObject
  }
  return withUnsafeBytes(of: one) { bytes in
    withUnsafeBytes(of: other) { bytes.elementsEqual($0) }
  }
}

private func isSameWrapped<Wrapper: Wrapping>(_ one: Wrapper, _ other: any Wrapping) -> Bool {
  guard let other = other as? Wrapper else { return false }
  return isSameValue(one.wrapped, other.wrapped)
}
