/// Bodies encoded with gzip, written by hand because Foundation cannot.
enum GzipBodies {
  /// "hello, hello, hello, hello\n" as `gzip -n9` writes it.
  static let hello: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0xD7,
    0x51, 0xC8, 0xC0, 0xA4, 0xB8, 0x00, 0x4B, 0x21, 0xA1, 0x29, 0x1B, 0x00, 0x00, 0x00,
  ]

  /// About `megabytes` of zeros. The result is 158 times smaller, because RFC 1951 allows a match
  /// of 258 bytes in 13 bits. Eight matches repeat every 13 bytes.
  static func bomb(megabytes: Int) -> [UInt8] {
    let matches = megabytes * (1 << 20) / 258
    return repeating(after: [0], match: longest + [0, 0, 0, 0, 0], times: matches)
  }

  /// A bomb that is encoded again, for `Content-Encoding: gzip, gzip`. 16 KB decode to over 300 MB.
  ///
  /// The bomb repeats every 13 bytes. So the outer matches are copies from 13 bytes earlier, in 15
  /// bits.
  static func bombInBomb(megabytes: Int) -> [UInt8] {
    let inner = bomb(megabytes: 1)
    let matches = megabytes * inner.count / 258
    let distance: [UInt8] = [0, 0, 1, 1, 1, 0, 0]
    return repeating(after: Array(inner[..<25]), match: longest + distance, times: matches)
  }

  /// The code of a match of 258 bytes.
  private static let longest: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1]

  /// One block with fixed codes: the literals and the repeated match, without an end.
  private static func repeating(after literals: [UInt8], match: [UInt8], times: Int) -> [UInt8] {
    var bits: [UInt8] = [1, 1, 0]
    for literal in literals { bits += code(of: literal) }
    let whole = bits.count / 8
    for _ in 0..<16 { bits += match }
    let start = bytes(bits)
    let period = Array(start[(whole + 1)..<(whole + 1 + match.count)])
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + start[...whole]
      + repeatElement(period, count: times / 8).joined()
  }

  /// The fixed code of a literal: 8 bits up to 143, then 9.
  private static func code(of literal: UInt8) -> [UInt8] {
    let (code, length) = literal < 144 ? (0x30 + Int(literal), 8) : (0x190 + Int(literal) - 144, 9)
    return (0..<length).reversed().map { UInt8(code >> $0 & 1) }
  }

  /// Packs bits from the least significant one.
  private static func bytes(_ bits: [UInt8]) -> [UInt8] {
    stride(from: 0, to: bits.count - 7, by: 8).map { start in
      (0..<8).reduce(0) { $0 | bits[start + $1] << UInt8($1) }
    }
  }
}
