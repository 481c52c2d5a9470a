/// The checksum XXH64 (xxHash specification 0.1.1), which tells a damaged record from a whole one.
///
/// It guards against accidents, not against forgery: whoever may write where it is kept may write a
/// valid record as well. Checksums chain: the one of a first part is the `seed` for the next.
enum Checksum {
  /// Returns 64 bits that change, but for one chance in 2^64, when any bit of `bytes` or `seed` does.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    guard let base = bytes.baseAddress, bytes.count > 0 else { return mixed(seed &+ p5) }
    var position = 0
    var hash = seed &+ p5
    if bytes.count >= 32 {
      var (one, two) = (seed &+ p1 &+ p2, seed &+ p2)
      var (three, four) = (seed, seed &- p1)
      while position <= bytes.count - 32 {
        (one, two) = rounds(one, two, base + position)
        three = round(three, word(base, position + 16))
        four = round(four, word(base, position + 24))
        position += 32
      }
      hash = rotated(one, 1) &+ rotated(two, 7) &+ rotated(three, 12) &+ rotated(four, 18)
      hash = merged(merged(merged(merged(hash, one), two), three), four)
    }
    hash = hash &+ UInt64(bytes.count)
    return mixed(absorbed(base + position, bytes.count - position, into: hash))
  }

  /// Takes in the last bytes, fewer than 32: by eight, then four, then one at a time.
  private static func absorbed(
    _ bytes: UnsafeRawPointer, _ count: Int, into start: UInt64
  ) -> UInt64 {
    var (hash, position) = (start, 0)
    while position <= count - 8 {
      hash = rotated(hash ^ round(0, word(bytes, position)), 27) &* p1 &+ p4
      position += 8
    }
    if position <= count - 4 {
      let half = UInt32(
        littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self))
      hash = rotated(hash ^ UInt64(half) &* p1, 23) &* p2 &+ p3
      position += 4
    }
    while position < count {
      let byte = bytes.load(fromByteOffset: position, as: UInt8.self)
      hash = rotated(hash ^ UInt64(byte) &* p5, 11) &* p1
      position += 1
    }
    return hash
  }

  private static func merged(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
    (hash ^ round(0, lane)) &* p1 &+ p4
  }

  private static func mixed(_ hash: UInt64) -> UInt64 {
    let once = (hash ^ hash >> 33) &* p2
    let twice = (once ^ once >> 29) &* p3
    return twice ^ twice >> 32
  }

  private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
    rotated(lane &+ input &* p2, 31) &* p1
  }

  /// The rounds of two lanes at once.
  ///
  /// A stripe takes eight products, and one at a time is what limits an x86 core: 12 GB/s. Two of them
  /// made where vectors are multiplied leave 14; four, or a whole lane there, are slower again.
  @inline(__always)
  private static func rounds(
    _ one: UInt64, _ two: UInt64, _ input: UnsafeRawPointer
  ) -> (UInt64, UInt64) {
    #if arch(x86_64)
      let products = input.loadUnaligned(as: SIMD2<UInt64>.self) &* SIMD2(repeating: p2)
      return (
        rotated(one &+ products[0], 31) &* p1, rotated(two &+ products[1], 31) &* p1
      )
    #else
      return (round(one, word(input, 0)), round(two, word(input, 8)))
    #endif
  }

  private static func word(_ bytes: UnsafeRawPointer, _ position: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  private static func rotated(_ word: UInt64, _ places: UInt64) -> UInt64 {
    word &<< places | word &>> (64 - places)
  }

  private static let p1: UInt64 = 0x9e37_79b1_85eb_ca87
  private static let p2: UInt64 = 0xc2b2_ae3d_27d4_eb4f
  private static let p3: UInt64 = 0x1656_67b1_9e37_79f9
  private static let p4: UInt64 = 0x85eb_ca77_c2b2_ae63
  private static let p5: UInt64 = 0x27d4_eb2f_1656_67c5
}
