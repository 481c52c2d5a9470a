/// The checksum XXH64 (xxHash specification 0.1.1), which tells a damaged record from a whole one.
///
/// It guards against accidents, not against forgery: whoever may write where it is kept may write a
/// valid record as well. Checksums chain: the one of a first part is the `seed` for the next.
enum Checksum {
  /// Returns 64 bits that change, but for one chance in 2^64, when any bit of `bytes` or `seed`
  /// does.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    guard let base = bytes.baseAddress, bytes.count > 0 else { return mixed(seed &+ p5) }
    guard bytes.count >= 32 else {
      return mixed(absorbed(base, bytes.count, into: seed &+ p5 &+ UInt64(bytes.count)))
    }
    var lanes = Lanes(seed: seed)
    let stripes = bytes.count & ~31
    lanes.absorb(base, stripes)
    let hash = lanes.merged &+ UInt64(bytes.count)
    return mixed(absorbed(base + stripes, bytes.count - stripes, into: hash))
  }

  /// Four sums, each of every fourth word.
  private struct Lanes {
    var (one, two, three, four): (UInt64, UInt64, UInt64, UInt64)

    init(seed: UInt64) {
      (one, two, three, four) = (seed &+ p1 &+ p2, seed &+ p2, seed, seed &- p1)
    }

    /// Takes in bytes, a multiple of 32.
    ///
    /// That many take eight products. An x86 core makes one at a time, which limits it to 12 GB/s;
    /// two of them made where vectors are multiplied leave 14. Four there, or both of a lane's, are
    /// slower than none.
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

  private static func merging(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
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
