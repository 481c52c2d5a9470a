import Foundation

extension CanonicalKey {
  /// Composes each combining mark with its base scalar if Unicode has a single scalar for the pair.
  ///
  /// - Parameter scalars: A canonical decomposition.
  static func composed(_ scalars: [Unicode.Scalar]) -> String.UnicodeScalarView {
    var result: [Unicode.Scalar] = []
    var (start, last): (Int?, UInt8) = (nil, 0)
    for scalar in scalars {
      let order = scalar.properties.canonicalCombiningClass.rawValue
      // If no mark is between the base scalar and the current one, the two can compose. Otherwise,
      // that mark must have a lower combining class than the current scalar.
      if let start, result.count - 1 == start || last != 0 && last < order,
        let both = composition(of: result[start], scalar, order)
      {
        result[start] = both
        continue
      }
      if order == 0 { start = result.count }
      last = order
      result.append(scalar)
    }
    return String.UnicodeScalarView(result)
  }

  private static func composition(
    of first: Unicode.Scalar, _ second: Unicode.Scalar, _ order: UInt8
  ) -> Unicode.Scalar? {
    if let syllable = hangul(first.value, second.value) { return syllable }
    // Among scalars with combining class 0, only Hangul letters and the vowel signs of some scripts
    // compose with the preceding scalar.
    let isSign = 0x9be...0x1b35 ~= second.value || second.value > 0xffff
    guard second.value >= 0x300, order > 0 || isSign else { return nil }
    let parts = decomposition(of: first) + decomposition(of: second)
    if let added = addition(of: parts) { return added }
    // These scalars are fully decomposed. Foundation 6.3 can't compose U+0CCA with U+0CD5, because
    // U+0CCA is itself a composition.
    let both = String(String.UnicodeScalarView(parts))
    let scalars = both.precomposedStringWithCanonicalMapping.unicodeScalars
    // A composed scalar must decompose into the original scalars. Without this check, two unequal
    // strings could get the same bytes.
    guard let joined = scalars.first, scalars.count == 1, decomposition(of: joined) == parts else {
      return nil
    }
    return joined
  }

  /// Composes a Hangul leading consonant with a vowel, or the resulting syllable with a trailing
  /// consonant.
  private static func hangul(_ first: UInt32, _ second: UInt32) -> Unicode.Scalar? {
    if 0x1100...0x1112 ~= first, 0x1161...0x1175 ~= second {
      return Unicode.Scalar(0xac00 + ((first - 0x1100) * 21 + second - 0x1161) * 28)
    }
    guard 0xac00...0xd7a3 ~= first, (first - 0xac00) % 28 == 0, 0x11a8...0x11c2 ~= second else {
      return nil
    }
    return Unicode.Scalar(first + second - 0x11a7)
  }

  private static func addition(of parts: [Unicode.Scalar]) -> Unicode.Scalar? {
    for known in additions where known.count == parts.count + 1 {
      var isEqual = true
      for index in parts.indices where parts[index].value != known[index + 1] { isEqual = false }
      if isEqual { return Unicode.Scalar(known[0]) }
    }
    return nil
  }
}
