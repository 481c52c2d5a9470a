import Foundation

// The loops in this file aren't generic, because the compiler would add a specialized copy of a
// generic loop to every program.

extension UnsafeRawBufferPointer {
  /// Whether the bytes at an offset match a string.
  package func has(_ text: StaticString, at offset: Int = 0) -> Bool {
    guard offset <= count, text.utf8CodeUnitCount <= count - offset else { return false }
    for index in 0..<text.utf8CodeUnitCount where self[offset + index] != text.utf8Start[index] {
      return false
    }
    return true
  }

  /// Reads a little-endian number of up to eight bytes at an offset.
  ///
  /// If this function were inlined, `Data.withUnsafeBytes` would contain a copy of its code for
  /// each representation of `Data`.
  @inline(never)
  package func number(at offset: Int, bytes count: Int) -> UInt64 {
    var result: UInt64 = 0
    for index in (offset..<offset + count).reversed() {
      result = result << 8 | UInt64(self[index])
    }
    return result
  }
}

extension Data {
  /// Creates data from the UTF-8 encoding of a string.
  @inline(never)
  package init(utf8 text: String) {
    var text = text
    self = text.withUTF8 { bytes in
      bytes.baseAddress.map { Data(bytes: $0, count: bytes.count) } ?? Data()
    }
  }

  /// Whether the bytes begin with a string.
  @inline(never)
  package func has(_ text: StaticString) -> Bool { withUnsafeBytes { $0.has(text) } }

  /// Reads a little-endian number of up to eight bytes at an offset.
  @inline(never)
  package func number(at offset: Int, bytes count: Int) -> UInt64 {
    withUnsafeBytes { $0.number(at: offset, bytes: count) }
  }

  /// Whether two values have the same bytes. They are compared through `AnyHashable`, because the
  /// inlined code of `==` is large.
  @inline(never)
  package func isEqual(to other: Data) -> Bool { AnyHashable(self) == AnyHashable(other) }
}

extension UInt64 {
  /// Creates a number from a string of digits in a radix of up to 16. Returns `nil` if the string
  /// is empty, contains a character that isn't a digit in this radix, or represents a number that
  /// is too large. Letters must be lowercase.
  package init?(digits text: String, radix: UInt64 = 10) {
    guard !text.isEmpty else { return nil }
    self = 0
    for byte in text.utf8 {
      let isLetter = byte >= UInt8(ascii: "a")
      let digit = UInt64(isLetter ? byte - UInt8(ascii: "a") + 10 : byte &- UInt8(ascii: "0"))
      let (shifted, isTooLarge) = multipliedReportingOverflow(by: radix)
      let (sum, overflows) = shifted.addingReportingOverflow(digit)
      guard isLetter || digit < 10, digit < radix, !isTooLarge, !overflows else { return nil }
      self = sum
    }
  }
}
