/// The slots of a cluster. Every key belongs to exactly one slot.
enum RedisSlot {
  static let count = 16_384

  /// Returns the slot of a key. It's the CRC16 of the key's hash tag, or of the whole key if there
  /// is no tag, modulo the number of slots.
  ///
  /// A hash tag is the text between the first `{` and the next `}`, if that text isn't empty. Keys
  /// with the same tag share a slot.
  static func of(_ key: [UInt8]) -> Int { Int(checksum(tag(of: key)[...])) % count }

  private static func tag(of key: [UInt8]) -> ArraySlice<UInt8> {
    guard let start = key.firstIndex(of: UInt8(ascii: "{")),
      let end = key[start...].firstIndex(of: UInt8(ascii: "}")), end > start + 1
    else { return key[...] }
    return key[start + 1..<end]
  }

  /// Returns the CRC-16/XMODEM checksum of the bytes.
  static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt16 {
    bytes.reduce(0) { $0 << 8 ^ table[Int($0 >> 8) ^ Int($1)] }
  }

  private static let table: [UInt16] = (0..<256).map { index in
    (0..<8).reduce(UInt16(index) << 8) { sum, _ in sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021
    }
  }
}
