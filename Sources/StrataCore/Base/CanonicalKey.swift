import Foundation

/// Converts string keys to bytes. Two strings have the same bytes if and only if they are equal in
/// Swift.
///
/// Swift compares strings by canonical equivalence: "é" as one scalar equals "e" followed by an
/// accent. So the bytes of a key are the UTF-8 encoding of its canonical composition (NFC), and
/// both spellings of "é" have the same bytes.
///
/// This type doesn't normalize whole strings with Foundation, because Foundation can give two equal
/// strings different bytes. For example, version 6.3 of swift-corelibs-foundation leaves some
/// Hangul syllables decomposed. Its Unicode data is also older than the standard library's, so the
/// two can sort combining marks differently.
///
/// So Foundation only composes pairs of scalars and decomposes single ones. Combining marks are in
/// the order of the standard library, and the rest of the algorithm follows Unicode Standard Annex
/// 15, *Normalization Forms*. Because the algorithm decomposes a string before it composes scalars,
/// two equal strings have the same scalars before composition. If Foundation can't compose two
/// scalars, the bytes of both strings contain them separately.
@usableFromInline
package enum CanonicalKey {
  /// - Complexity: O(*n*) in the length of the key.
  @usableFromInline
  package static func bytes(of key: String) -> [UInt8] {
    // ASCII text is already in NFC.
    if isASCII(key) { return Array(key.utf8) }
    return Array(String(composed(decomposed(key))).utf8)
  }

  private static func isASCII(_ key: String) -> Bool {
    for byte in key.utf8 where byte >= 0x80 { return false }
    return true
  }

  private static func decomposed(_ key: String) -> [Unicode.Scalar] {
    var (result, marks): ([Unicode.Scalar], [Unicode.Scalar]) = ([], [])
    for whole in key.unicodeScalars {
      for scalar in decomposition(of: whole) {
        if scalar.properties.canonicalCombiningClass == .notReordered {
          result += ordered(marks)
          marks.removeAll(keepingCapacity: true)
          result.append(scalar)
        } else {
          marks.append(scalar)
        }
      }
    }
    return result + ordered(marks)
  }

  /// Sorts combining marks, such as accents, by their class. Within a class, they keep their order.
  private static func ordered(_ marks: [Unicode.Scalar]) -> [Unicode.Scalar] {
    guard marks.count > 1 else { return marks }
    var classes = [[Unicode.Scalar]](repeating: [], count: 256)
    for mark in marks {
      classes[Int(mark.properties.canonicalCombiningClass.rawValue)].append(mark)
    }
    return classes.flatMap(\.self)
  }

  static func decomposition(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    if scalar.value < 0xc0 { return [scalar] }
    var parts: [Unicode.Scalar] = []
    if scalar.value >= additions[0][0] {
      for known in additions where known[0] == scalar.value {
        for part in known[1...] { parts.append(Unicode.Scalar(part)!) }
        return parts
      }
    }
    let text = String(Character(scalar)).decomposedStringWithCanonicalMapping
    for part in text.unicodeScalars { parts.append(part) }
    return parts
  }

  /// The Unicode 16 decompositions that the standard library supports and Foundation doesn't.
  ///
  /// With an older standard library, some of these scalars aren't equal to their decompositions.
  /// Then two unequal strings can have the same bytes, and share one stored value.
  static let additions: [[UInt32]] = [  // Sorted rows, each with a scalar and its parts.
    [0x105c9, 0x105d2, 0x307], [0x105e4, 0x105da, 0x307],
    [0x11383, 0x11382, 0x113c9], [0x11385, 0x11384, 0x113bb],
    [0x1138e, 0x1138b, 0x113c2], [0x11391, 0x11390, 0x113c9],
    [0x113c5, 0x113c2, 0x113c2], [0x113c7, 0x113c2, 0x113b8], [0x113c8, 0x113c2, 0x113c9],
    [0x16121, 0x1611e, 0x1611e], [0x16122, 0x1611e, 0x16129], [0x16123, 0x1611e, 0x1611f],
    [0x16124, 0x16129, 0x1611f], [0x16125, 0x1611e, 0x16120],
    [0x16126, 0x1611e, 0x1611e, 0x1611f], [0x16127, 0x1611e, 0x16129, 0x1611f],
    [0x16128, 0x1611e, 0x1611e, 0x16120],
    [0x16d68, 0x16d67, 0x16d67], [0x16d69, 0x16d63, 0x16d67],
    [0x16d6a, 0x16d63, 0x16d67, 0x16d67],
  ]
}

extension CanonicalKey {
  /// Calls a function with the bytes of a key. The bytes of an ASCII key aren't copied.
  @inlinable
  package static func withBytes<Result>(
    of key: String, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    // `reduce` reads all bytes, because a loop without an early exit is faster.
    let result = key.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.reduce(0, |) < 0x80 ? body(UnsafeRawBufferPointer(bytes)) : nil
    }
    return (result ?? nil) ?? bytes(of: key).withUnsafeBytes(body)
  }
}
