import Foundation
import StrataNetwork

/// Writes the parts of a stored record one after another.
struct RecordWriter {
  private(set) var bytes = Data()

  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  /// Appends a number in groups of seven bits, the lowest bits first.
  mutating func append(_ number: Int) {
    var rest = UInt64(bitPattern: Int64(number))
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func append(_ time: TimeSource.Instant) {
    withUnsafeBytes(of: time.nanoseconds.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ text: String) {
    append(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  mutating func append(_ text: String?) {
    append(text == nil ? 0 : 1)
    if let text { append(text) }
  }

  mutating func append(_ data: Data) {
    append(data.count)
    bytes.append(data)
  }
}
