import Foundation

extension LawText {
  /// Describes the first difference of two values. Returns `nil` if it finds none in their first
  /// thousand parts.
  static func difference<Value>(_ seen: Value, _ stored: Value) -> String? {
    var left = 1000
    return difference(seen, stored, at: "", depth: 0, &left)
  }

  private static func difference(
    _ seen: Any, _ stored: Any, at path: String, depth: Int, _ left: inout Int
  ) -> String? {
    let place = path.isEmpty ? "" : "in \(path), "
    switch (seen, stored) {
    case (let seen as String, let stored as String):
      return bytes(Array(seen.utf8), Array(stored.utf8)).map { place + $0 }
    case (let seen as Data, let stored as Data):
      return bytes(Array(seen), Array(stored)).map { place + $0 }
    case (let seen as Double, let stored as Double): return bits(seen, stored).map { place + $0 }
    case (let seen as Float, let stored as Float):
      return seen.bitPattern == stored.bitPattern
        ? nil
        : place
          + "\(seen) instead of \(stored), bits \(hex(UInt64(seen.bitPattern))) and \(hex(UInt64(stored.bitPattern)))"
    case (let seen as Date, let stored as Date):
      return bits(seen.timeIntervalSinceReferenceDate, stored.timeIntervalSinceReferenceDate)
        .map { place + "seconds after 2001: " + $0 }
    case (let seen as URL, let stored as URL):
      return seen.relativeString == stored.relativeString && seen.baseURL == stored.baseURL
        ? nil
        : place + "\(seen.debugDescription) instead of \(stored.debugDescription)"
    default: return parts(seen, stored, at: path, depth: depth, &left)
    }
  }

  /// Compares the parts of two values, or their texts if they have no parts. A value may contain
  /// itself, so it compares neither parts at any depth nor any number of parts.
  private static func parts(
    _ seen: Any, _ stored: Any, at path: String, depth: Int, _ left: inout Int
  ) -> String? {
    let (one, other) = (Mirror(reflecting: seen), Mirror(reflecting: stored))
    let place = path.isEmpty ? "" : "in \(path), "
    if one.children.isEmpty || one.subjectType != other.subjectType || depth > 20 {
      let (one, other) = (BoundedText.of(seen), BoundedText.of(stored))
      return one == other
        ? nil : "\(place)\(shortened(one, to: 80)) instead of \(shortened(other, to: 80))"
    }
    if one.children.count != other.children.count {
      return "\(place)\(one.children.count) parts instead of \(other.children.count)"
    }
    for (number, pair) in zip(one.children, other.children).enumerated() {
      guard left > 0 else { return nil }
      left -= 1
      let label = "\(path).\(pair.0.label ?? "\(number)")"
      let text = difference(pair.0.value, pair.1.value, at: label, depth: depth + 1, &left)
      if let text { return text }
    }
    return nil
  }

  private static func bytes(_ seen: [UInt8], _ stored: [UInt8]) -> String? {
    guard seen != stored else { return nil }
    let length =
      seen.count == stored.count
      ? "\(seen.count) bytes" : "\(seen.count) bytes instead of \(stored.count)"
    guard let index = zip(seen, stored).enumerated().first(where: { $1.0 != $1.1 })?.offset else {
      return length + ", the same up to the end of the shorter one"
    }
    return "\(length), the first difference at byte \(index): \(hex(UInt64(seen[index]))) "
      + "instead of \(hex(UInt64(stored[index])))"
  }

  private static func bits(_ seen: Double, _ stored: Double) -> String? {
    seen.bitPattern == stored.bitPattern
      ? nil
      : "\(seen) instead of \(stored), bits \(hex(seen.bitPattern)) and \(hex(stored.bitPattern))"
  }

  private static func hex(_ number: UInt64) -> String { "0x" + String(number, radix: 16) }
}
