import Foundation

/// Checks how deeply JSON is nested, without decoding it.
///
/// Foundation decodes recursively. In a debug build on Linux, about 250 levels overflow a stack of
/// 512 KB.
enum JSONDepth {
  /// Returns the data as UTF-8, or throws if its arrays and objects are nested more than 128 levels
  /// deep.
  ///
  /// This check never counts fewer levels than Foundation's parser enters. Both count the same
  /// levels in each valid beginning, and Foundation stops at the first error.
  static func checked(_ data: Data, isJSON5: Bool) throws(TooDeep) -> Data {
    let data = utf8(data)
    let isFlat = data.withUnsafeBytes { bytes in
      var scan = Scan(isJSON5: isJSON5)
      for byte in bytes where !scan.isFlat(after: byte) { return false }
      return true
    }
    if !isFlat { throw TooDeep() }
    return data
  }

  /// Converts UTF-16 and UTF-32 to UTF-8, because Foundation accepts them as well. It recognizes
  /// both encodings by a zero byte or a byte order mark among the first four bytes.
  private static func utf8(_ data: Data) -> Data {
    let start = [UInt8](data.prefix(4))
    guard start.contains(0) || start.contains(0xfe) else { return data }
    return encoding(of: start).flatMap { String(data: data, encoding: $0) }.map { Data($0.utf8) }
      ?? data
  }

  private static func encoding(of start: [UInt8]) -> String.Encoding? {
    switch start.map({ $0 == 0 }) {
    case _ where start.starts(with: [0, 0, 0xfe, 0xff]): .utf32
    case _ where start.starts(with: [0xff, 0xfe, 0, 0]): .utf32
    case _ where start.starts(with: [0xfe, 0xff]): .utf16
    case _ where start.starts(with: [0xff, 0xfe]): .utf16
    case [true, true, true, false]: .utf32BigEndian
    case [false, true, true, true]: .utf32LittleEndian
    case let zeros where zeros.starts(with: [true, false]): .utf16BigEndian
    case let zeros where zeros.starts(with: [false, true]): .utf16LittleEndian
    default: nil
    }
  }

  /// The state between two bytes.
  private struct Scan {
    let isJSON5: Bool
    private var depth = 0
    private var place = Place.outside
    private var last: UInt8 = 0

    private enum Place: Equatable {
      case outside, line, block
      case string(UInt8)
      case escape(UInt8)
    }

    init(isJSON5: Bool) { self.isJSON5 = isJSON5 }

    /// Advances by one byte, and returns whether the depth is still within the limit.
    mutating func isFlat(after byte: UInt8) -> Bool {
      defer { last = byte }
      switch place {
      case .escape(let quote): place = .string(quote)
      case .string(let quote):
        if byte == quote { place = .outside } else if byte == 0x5c { place = .escape(quote) }
      case .line: if byte == 0x0a || byte == 0x0d { place = .outside }
      case .block: if last == 0x2a, byte == 0x2f { (place, last) = (.outside, 0) }
      case .outside: step(byte)
      }
      return depth <= EncodingDepth.deepest
    }

    private mutating func step(_ byte: UInt8) {
      switch byte {
      case 0x5b, 0x7b: depth += 1  // [ {
      case 0x5d, 0x7d: depth -= 1  // ] }
      case 0x22: place = .string(byte)
      case 0x27 where isJSON5: place = .string(byte)
      case 0x2f where isJSON5 && last == 0x2f: place = .line
      case 0x2a where isJSON5 && last == 0x2f: place = .block
      default: break
      }
    }
  }
}
