/// Bodies in the gzip format. The tests encode these bodies themselves, because Foundation has no
/// gzip encoder.
enum GzipBodies {
  /// The output of `gzip -n9` for the text "hello, hello, hello, hello\n".
  static let hello: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0xD7,
    0x51, 0xC8, 0xC0, 0xA4, 0xB8, 0x00, 0x4B, 0x21, 0xA1, 0x29, 0x1B, 0x00, 0x00, 0x00,
  ]

  /// Returns a gzip body that decodes to zeros. The parameter sets the approximate size of the
  /// decoded body. The encoded body is 158 times smaller, because RFC 1951 encodes a repetition of
  /// 258 bytes in 13 bits. Eight of these 13-bit codes fill 13 bytes, so the encoded bytes repeat
  /// every 13 bytes.
  static func bomb(megabytes: Int) -> [UInt8] {
    let matches = megabytes * (1 << 20) / 258
    return repeating(after: [0], match: longest + [0, 0, 0, 0, 0], times: matches)
  }

  /// Encodes a bomb a second time, for `Content-Encoding: gzip, gzip`. A result of 16 KB decodes to
  /// over 300 MB.
  ///
  /// After a short header, the output of `bomb(megabytes:)` repeats every 13 bytes. In the second
  /// encoding, each DEFLATE match copies 258 bytes that begin 13 bytes earlier, and takes 15 bits.
  static func bombInBomb(megabytes: Int) -> [UInt8] {
    let inner = bomb(megabytes: 1)
    let matches = megabytes * inner.count / 258
    let distance: [UInt8] = [0, 0, 1, 1, 1, 0, 0]
    return repeating(after: Array(inner[..<25]), match: longest + distance, times: matches)
  }

  /// The Huffman code for a match length of 258 bytes.
  private static let longest: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1]

  /// Returns one DEFLATE block with fixed Huffman codes: the literals, followed by repetitions of
  /// the match. The block has no end mark.
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

  /// Returns a literal's code in DEFLATE's fixed Huffman table. The code has 8 bits for literals up
  /// to 143, and 9 bits for larger literals.
  private static func code(of literal: UInt8) -> [UInt8] {
    let (code, length) = literal < 144 ? (0x30 + Int(literal), 8) : (0x190 + Int(literal) - 144, 9)
    return (0..<length).reversed().map { UInt8(code >> $0 & 1) }
  }

  /// Packs bits into bytes, beginning with the least significant bit.
  private static func bytes(_ bits: [UInt8]) -> [UInt8] {
    stride(from: 0, to: bits.count - 7, by: 8).map { start in
      (0..<8).reduce(0) { $0 | bits[start + $1] << UInt8($1) }
    }
  }
}
