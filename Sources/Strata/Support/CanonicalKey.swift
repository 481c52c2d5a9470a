import Foundation

/// Turns a key into bytes that are the same for two strings exactly when Swift holds them equal.
///
/// Swift compares strings by canonical equivalence: "é" as one scalar equals "e" with an accent. So
/// these bytes are the UTF-8 of the canonical composition (NFC). Foundation's normal forms of whole
/// strings will not do: swift-corelibs-foundation 6.3 leaves some Hangul uncomposed and orders
/// marks by older tables than the standard library, so equal strings got two names. Hence scalars
/// and pairs of them from Foundation, the order of marks from the standard library, and the rest by
/// the rules of Unicode (Standard Annex 15): first the decomposition, and from that the
/// composition, so that whatever composes or does not, equal strings stay equal.
enum CanonicalKey {
  /// - Complexity: O(*n*) in the length of the key; O(*m* log *m*) in that of a run of marks.
  static func bytes(of key: String) -> [UInt8] {
    // ASCII is its own composition.
    if key.utf8.allSatisfy({ $0 < 0x80 }) { return Array(key.utf8) }
    return Array(String(composed(decomposed(key))).utf8)
  }

  private static func decomposed(_ key: String) -> [Unicode.Scalar] {
    var (result, marks): ([Unicode.Scalar], [Unicode.Scalar]) = ([], [])
    for scalar in key.unicodeScalars.lazy.flatMap(decomposition) {
      if scalar.properties.canonicalCombiningClass == .notReordered {
        result.append(contentsOf: ordered(marks))
        marks.removeAll(keepingCapacity: true)
        result.append(scalar)
      } else {
        marks.append(scalar)
      }
    }
    return result + ordered(marks)
  }

  /// Marks of one class keep their order, marks of different classes go by class.
  private static func ordered(_ marks: [Unicode.Scalar]) -> [Unicode.Scalar] {
    guard marks.count > 1 else { return marks }
    let classes = marks.map(\.properties.canonicalCombiningClass.rawValue)
    // By position within a class: `sort` does not promise to be stable.
    return marks.indices.sorted { (classes[$0], $0) < (classes[$1], $1) }.map { marks[$0] }
  }

  static func decomposition(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    if scalar.value < 0xc0 { return [scalar] }
    if let known = additions[scalar.value] { return known.compactMap(Unicode.Scalar.init) }
    return Array(String(Character(scalar)).decomposedStringWithCanonicalMapping.unicodeScalars)
  }

  /// The decompositions of Unicode 16, which the standard library knows and Foundation does not.
  ///
  /// A pair that an older standard library holds unequal merely shares a name, which is a miss.
  static let additions: [UInt32: [UInt32]] = [
    0x105c9: [0x105d2, 0x307], 0x105e4: [0x105da, 0x307],
    0x11383: [0x11382, 0x113c9], 0x11385: [0x11384, 0x113bb],
    0x1138e: [0x1138b, 0x113c2], 0x11391: [0x11390, 0x113c9],
    0x113c5: [0x113c2, 0x113c2], 0x113c7: [0x113c2, 0x113b8], 0x113c8: [0x113c2, 0x113c9],
    0x16121: [0x1611e, 0x1611e], 0x16122: [0x1611e, 0x16129], 0x16123: [0x1611e, 0x1611f],
    0x16124: [0x16129, 0x1611f], 0x16125: [0x1611e, 0x16120],
    0x16126: [0x1611e, 0x1611e, 0x1611f], 0x16127: [0x1611e, 0x16129, 0x1611f],
    0x16128: [0x1611e, 0x1611e, 0x16120],
    0x16d68: [0x16d67, 0x16d67], 0x16d69: [0x16d63, 0x16d67],
    0x16d6a: [0x16d63, 0x16d67, 0x16d67],
  ]
}

extension CanonicalKey {
  /// Calls a function with the bytes of a key; those of an ASCII key are not copied.
  static func withBytes<Result>(
    of key: String, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    // All of them, since the loop that never leaves early is the faster one.
    let isASCII = key.utf8.withContiguousStorageIfAvailable { $0.reduce(0, |) < 0x80 }
    if isASCII == true,
      let result = key.utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) })
    {
      return result
    }
    return bytes(of: key).withUnsafeBytes(body)
  }
}
