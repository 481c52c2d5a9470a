/// The rapidhash checksum (version 3, variant "Micro"), which detects damaged records.
///
/// It detects accidental damage, not forgery, because a program that can write to the storage can
/// also write a record with a valid checksum. For data in several parts, pass the checksum of each
/// part as the `seed` of the next one.
package enum Checksum {
  /// Returns a 64-bit checksum. If any bit of `bytes` or `seed` changes, the checksum stays the
  /// same with a probability of about 1 in 2^64.
  ///
  /// - Complexity: O(*n*) in the number of bytes. Five multiplications of 16 bytes each can run in
  ///   parallel.
  package static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    var state = seed ^ folded(seed ^ s2, s1)
    guard let base = bytes.baseAddress, bytes.count > 16 else {
      if bytes.count > 3 { state ^= UInt64(bytes.count) }
      return final(short(bytes), state, bytes.count)
    }
    let stripes = bytes.count > 80 ? (bytes.count - 1) / 80 * 80 : 0
    if stripes > 0 { absorb(base, stripes, into: &state) }
    let (rest, count) = (base + stripes, bytes.count - stripes)
    var position = 0
    while position < count - 16 {
      let secret = position < 32 ? s2 : s1
      state = folded(word(rest, position) ^ secret, word(rest, position + 8) ^ state)
      position += 16
    }
    let last = (word(rest, count - 16) ^ UInt64(count), word(rest, count - 8))
    return final(last, state, count)
  }

  /// Mixes stripes of 80 bytes into five accumulators, and then combines the accumulators into the
  /// state.
  private static func absorb(_ bytes: UnsafeRawPointer, _ count: Int, into state: inout UInt64) {
    var (one, two, three, four, five) = (state, state, state, state, state)
    var input = bytes
    let end = bytes + count
    while input < end {
      one = folded(word(input, 0) ^ s0, word(input, 8) ^ one)
      two = folded(word(input, 16) ^ s1, word(input, 24) ^ two)
      three = folded(word(input, 32) ^ s2, word(input, 40) ^ three)
      four = folded(word(input, 48) ^ s3, word(input, 56) ^ four)
      five = folded(word(input, 64) ^ s4, word(input, 72) ^ five)
      input += 80
    }
    state = one ^ two ^ three ^ four ^ five
  }

  /// Returns at most 16 bytes as two words. When there are 4 to 15 bytes, the two words overlap, so
  /// they have some bytes in common.
  private static func short(_ bytes: UnsafeRawBufferPointer) -> (UInt64, UInt64) {
    let count = bytes.count
    guard count > 3, let base = bytes.baseAddress else {
      guard count > 0 else { return (0, 0) }
      return (UInt64(bytes[0]) << 45 | UInt64(bytes[count - 1]), UInt64(bytes[count / 2]))
    }
    guard count < 8 else { return (word(base, 0), word(base, count - 8)) }
    return (half(base, 0), half(base, count - 4))
  }

  private static func final(_ last: (UInt64, UInt64), _ state: UInt64, _ count: Int) -> UInt64 {
    let product = (last.0 ^ s1).multipliedFullWidth(by: last.1 ^ state)
    return folded(product.low ^ s7, product.high ^ s1 ^ UInt64(count))
  }

  /// Multiplies two numbers, and returns the exclusive OR of the upper and lower halves of the
  /// product.
  private static func folded(_ one: UInt64, _ two: UInt64) -> UInt64 {
    let product = one.multipliedFullWidth(by: two)
    return product.low ^ product.high
  }

  private static func word(_ bytes: UnsafeRawPointer, _ position: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  private static func half(_ bytes: UnsafeRawPointer, _ position: Int) -> UInt64 {
    let half = bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
    return UInt64(UInt32(littleEndian: half))
  }

  // The published constants of the rapidhash algorithm. Its reference code calls them secrets.
  private static let s0: UInt64 = 0x2d35_8dcc_aa6c_78a5
  private static let s1: UInt64 = 0x8bb8_4b93_962e_acc9
  private static let s2: UInt64 = 0x4b33_a62e_d433_d4a3
  private static let s3: UInt64 = 0x4d5a_2da5_1de1_aa47
  private static let s4: UInt64 = 0xa076_1d64_78bd_642f
  private static let s7: UInt64 = 0xaaaa_aaaa_aaaa_aaaa
}
