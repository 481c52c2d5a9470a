/// Bodies encoded with gzip, written by hand because Foundation cannot.
enum GzipBodies {
  /// "hello, hello, hello, hello\n" as `gzip -n9` writes it.
  static let hello: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0xD7,
    0x51, 0xC8, 0xC0, 0xA4, 0xB8, 0x00, 0x4B, 0x21, 0xA1, 0x29, 0x1B, 0x00, 0x00, 0x00,
  ]

  /// About `megabytes` of zeros, in a 158th of that: RFC 1951 allows a match of 258 bytes in
  /// 13 bits, so eight matches repeat every 13 bytes.
  static func bomb(megabytes: Int) -> [UInt8] {
    var bits: [UInt8] = [1, 1, 0]  // The last block, with fixed codes,
    bits += [0, 0, 1, 1, 0, 0, 0, 0]  // a zero,
    let match: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0]  // and it 258 times more.
    for _ in 0..<16 { bits += match }
    let start = bytes(bits)
    let period = Array(start[2..<15])
    let repetitions = megabytes * (1 << 20) / (8 * 258)
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + start[..<2]
      + repeatElement(period, count: repetitions).joined()
  }

  /// Packs bits from the least significant one.
  private static func bytes(_ bits: [UInt8]) -> [UInt8] {
    stride(from: 0, to: bits.count - 7, by: 8).map { start in
      (0..<8).reduce(0) { $0 | bits[start + $1] << UInt8($1) }
    }
  }
}
