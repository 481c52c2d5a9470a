/// The checksum XXH64 (xxHash specification 0.1.1), which detects damaged records.
///
/// The checksum detects accidents, not forgery. A program that can write to the storage can also
/// write a valid record. To chain checksums, pass the checksum of the first part as the `seed` for
/// the next part.
package enum Checksum {
  /// Returns a 64-bit checksum. If any bit of `bytes` or `seed` changes, the chance of the same
  /// checksum is 1 in 2^64.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  package static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    guard let base = bytes.baseAddress, bytes.count > 0 else { return mixed(seed &+ p5) }
    guard bytes.count >= 32 else {
      return mixed(absorbed(base, bytes.count, into: seed &+ p5 &+ UInt64(bytes.count)))
    }
    var accumulators = Accumulators(seed: seed)
    let stripes = bytes.count & ~31
    accumulators.absorb(base, stripes)
    let hash = accumulators.merged &+ UInt64(bytes.count)
    return mixed(absorbed(base + stripes, bytes.count - stripes, into: hash))
  }

  /// Four accumulators. Each one takes every fourth word.
  private struct Accumulators {
    var (one, two, three, four): (UInt64, UInt64, UInt64, UInt64)

    init(seed: UInt64) {
      (one, two, three, four) = (seed &+ p1 &+ p2, seed &+ p2, seed, seed &- p1)
    }

    /// Adds bytes. Their count must be a multiple of 32.
    ///
    /// Each 32 bytes need eight multiplications. An x86 core runs one scalar multiplication at a
    /// time, which limits it to 12 GB/s. With two of the eight in the vector unit, it reaches 14
    /// GB/s. Four vector multiplications, or both of one accumulator, are slower than no vector
    /// multiplication.
    mutating func absorb(_ bytes: UnsafeRawPointer, _ count: Int) {
      var (one, two, three, four) = (one, two, three, four)
      #if arch(x86_64)
        let factors = SIMD2<UInt64>(repeating: p2)
      #endif
      var input = bytes
      let end = bytes + count
      while input < end {
        #if arch(x86_64)
          let products = input.loadUnaligned(as: SIMD2<UInt64>.self) &* factors
          one = rotated(one &+ products[0], 31) &* p1
          two = rotated(two &+ products[1], 31) &* p1
        #else
          one = round(one, word(input, 0))
          two = round(two, word(input, 8))
        #endif
        three = round(three, word(input, 16))
        four = round(four, word(input, 24))
        input += 32
      }
      (self.one, self.two, self.three, self.four) = (one, two, three, four)
    }

    var merged: UInt64 {
      let sum = rotated(one, 1) &+ rotated(two, 7) &+ rotated(three, 12) &+ rotated(four, 18)
      return merging(merging(merging(merging(sum, one), two), three), four)
    }
  }

  /// Adds the last bytes, fewer than 32: eight at a time, then four, then one.
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

  private static func merging(_ hash: UInt64, _ sum: UInt64) -> UInt64 {
    (hash ^ round(0, sum)) &* p1 &+ p4
  }

  private static func mixed(_ hash: UInt64) -> UInt64 {
    let once = (hash ^ hash >> 33) &* p2
    let twice = (once ^ once >> 29) &* p3
    return twice ^ twice >> 32
  }

  private static func round(_ sum: UInt64, _ input: UInt64) -> UInt64 {
    rotated(sum &+ input &* p2, 31) &* p1
  }

  private static func word(_ bytes: UnsafeRawPointer, _ position: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  private static func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 {
    word &<< bits | word &>> (64 - bits)
  }

  private static let p1: UInt64 = 0x9e37_79b1_85eb_ca87
  private static let p2: UInt64 = 0xc2b2_ae3d_27d4_eb4f
  private static let p3: UInt64 = 0x1656_67b1_9e37_79f9
  private static let p4: UInt64 = 0x85eb_ca77_c2b2_ae63
  private static let p5: UInt64 = 0x27d4_eb2f_1656_67c5
}
