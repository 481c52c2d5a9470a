import Foundation

/// Bytes of a string key. Two strings have the same bytes exactly if they are equal in Swift.
///
/// Swift compares strings by canonical equivalence: "é" as one scalar equals "e" followed by an
/// accent. The bytes are therefore the UTF-8 of the canonical composition (NFC).
///
/// Foundation can't normalize a whole string for this purpose. In swift-corelibs-foundation 6.3, it
/// leaves some Hangul decomposed and orders marks by older tables than the standard library, so
/// equal strings would get different bytes. This type takes compositions and decompositions of
/// single scalars and of pairs from Foundation, and the order of marks from the standard library.
/// The rest follows Unicode Standard Annex 15. It decomposes first and then composes, so equal
/// strings get the same bytes even if a composition is missing.
package enum CanonicalKey {
  /// - Complexity: O(*n*) in the length of the key, plus O(*m* log *m*) in the length of a run of
  ///   marks.
  package static func bytes(of key: String) -> [UInt8] {
    // ASCII is in NFC.
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

  /// Sorts marks by combining class. Marks of the same class keep their order.
  private static func ordered(_ marks: [Unicode.Scalar]) -> [Unicode.Scalar] {
    guard marks.count > 1 else { return marks }
    let classes = marks.map(\.properties.canonicalCombiningClass.rawValue)
    // Sorts by class and then by index, because `sort` may be unstable.
    return marks.indices.sorted { (classes[$0], $0) < (classes[$1], $1) }.map { marks[$0] }
  }

  static func decomposition(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    if scalar.value < 0xc0 { return [scalar] }
    if let known = additions[scalar.value] { return known.compactMap(Unicode.Scalar.init) }
    return Array(String(Character(scalar)).decomposedStringWithCanonicalMapping.unicodeScalars)
  }

  /// The decompositions of Unicode 16 that the standard library has and Foundation doesn't.
  ///
  /// An older standard library considers some of these pairs unequal. Such strings share their
  /// bytes, which only causes a miss.
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
  /// Calls a function with the bytes of a key. Doesn't copy an ASCII key.
  static func withBytes<Result>(
    of key: String, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    // Reads all bytes, because a loop without an early exit is faster.
    let isASCII = key.utf8.withContiguousStorageIfAvailable { $0.reduce(0, |) < 0x80 }
    if isASCII == true,
      let result = key.utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) })
    {
      return result
    }
    return bytes(of: key).withUnsafeBytes(body)
  }
}
