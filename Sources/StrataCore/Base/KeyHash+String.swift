import Foundation

extension KeyHash {
  /// Returns the hash of a string. For an ASCII string, it's the hash of its bytes, because ASCII
  /// text is the same in every Unicode normal form.
  @inlinable
  @inline(__always)
  func string(_ string: String) -> UInt64 {
    if let hash = string.utf8.withContiguousStorageIfAvailable({ ascii(UnsafeRawBufferPointer($0)) }
    ) {
      if let hash { return hash }
    }
    return beyondASCII(string)
  }

  /// Returns the hash of a URL. It takes a third of the time of the URL's own hash, which also
  /// ignores the base URL.
  ///
  /// Two URLs are equal if and only if their relative strings and their base URLs are equal.
  @usableFromInline
  @inline(never)
  func url(_ url: URL) -> UInt64 {
    let hash = string(url.relativeString)
    guard let base = url.baseURL else { return hash }
    return integer(hash &+ string(base.relativeString))
  }

  /// Returns the hash of the bytes, or `nil` if any byte isn't ASCII.
  @inlinable
  @inline(__always)
  func ascii(_ bytes: UnsafeRawBufferPointer) -> UInt64? {
    let count = bytes.count
    var hash = seed
    guard let start = bytes.baseAddress, count > 0 else { return mixed(hash, 0, 0, count) }
    var (low, high): (UInt64, UInt64) = (0, 0)
    var all: UInt64 = 0
    if count >= 16 {
      var offset = 0
      while offset &+ 16 < count {
        let (low, high) = (word(start, offset), word(start, offset &+ 8))
        all |= low | high
        hash = KeyHash.folded(low ^ multiplier, high ^ hash)
        offset &+= 16
      }
      (low, high) = (word(start, count &- 16), word(start, count &- 8))
    } else if count > 8 {
      (low, high) = (word(start, 0), upToEight(start + 8, count &- 8))
    } else {
      low = upToEight(start, count)
    }
    guard (all | low | high) & 0x8080_8080_8080_8080 == 0 else { return nil }
    return mixed(hash, low, high, count)
  }

  @inlinable
  @inline(__always)
  func mixed(_ hash: UInt64, _ low: UInt64, _ high: UInt64, _ count: Int) -> UInt64 {
    let folded = KeyHash.folded(low ^ multiplier, high ^ hash)
    return KeyHash.folded(folded ^ UInt64(truncatingIfNeeded: count), multiplier)
  }

  @inlinable
  @inline(__always)
  func word(_ start: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  /// Returns one to eight bytes as a number, which is a different one for different bytes.
  ///
  /// A short string is in two registers, and the compiler stores them to get the string's bytes. No
  /// load here contains bytes of both. Otherwise, the processor would wait for these two stores, and
  /// so for the memory of the get before.
  @inlinable
  @inline(__always)
  func upToEight(_ start: UnsafeRawPointer, _ count: Int) -> UInt64 {
    if count >= 4 { return half(start, 0) | half(start, count &- 4) << 32 }
    let (first, middle, last) = (byte(start, 0), byte(start, count / 2), byte(start, count &- 1))
    return first | middle << 8 | last << 16
  }

  @inlinable
  @inline(__always)
  func byte(_ start: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    UInt64(start.load(fromByteOffset: offset, as: UInt8.self))
  }

  @inlinable
  @inline(__always)
  func half(_ start: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    UInt64(start.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// Returns the hash of a string that isn't ASCII, or whose bytes aren't contiguous.
  ///
  /// Three non-ASCII characters have a canonically equivalent ASCII character. So if all characters
  /// of a string are ASCII or equivalent to ASCII, the string has the hash of the equivalent ASCII
  /// string. Any other string has the standard library's hash, which is the same for all normal
  /// forms.
  @usableFromInline
  func beyondASCII(_ string: String) -> UInt64 {
    var bytes: [UInt8] = []
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\u{212A}": bytes.append(UInt8(ascii: "K"))
      case "\u{037E}": bytes.append(UInt8(ascii: ";"))
      case "\u{1FEF}": bytes.append(UInt8(ascii: "`"))
      default:
        guard scalar.isASCII else {
          return integer(UInt64(truncatingIfNeeded: string.hashValue))
        }
        bytes.append(UInt8(scalar.value))
      }
    }
    return bytes.withUnsafeBytes { ascii($0) } ?? seed
  }
}
