import Foundation
import StrataNetwork

/// Reads the parts of a stored record one after another. Each function throws an error if a part is
/// malformed or extends past the end of the record.
struct RecordReader {
  struct Malformed: Error {}

  private var rest: Data.SubSequence

  init(_ data: Data) { rest = data[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func number() throws -> Int {
    var (result, shift) = (UInt64(0), UInt64(0))
    while shift < 64, let byte = rest.popFirst() {
      result |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return Int(Int64(bitPattern: result)) }
      shift += 7
    }
    throw Malformed()
  }

  /// Reads the number of elements or bytes that follow. Each takes at least one byte, so a number
  /// that exceeds the remaining bytes is malformed.
  mutating func count() throws -> Int {
    let count = try number()
    guard (0...rest.count).contains(count) else { throw Malformed() }
    return count
  }

  /// Reads a list: the number of its elements, and then each element. Doesn't reserve memory for
  /// that number of elements, because the record may contain fewer.
  mutating func list<Element>(
    of element: (inout RecordReader) throws -> Element
  ) throws -> [Element] {
    var (elements, rest) = ([Element](), try count())
    while rest > 0 {
      elements.append(try element(&self))
      rest -= 1
    }
    return elements
  }

  mutating func time() throws -> TimeSource.Instant {
    let bytes = try take(8)
    let word = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return TimeSource.Instant(nanoseconds: Int64(bitPattern: word))
  }

  mutating func text() throws -> String { String(decoding: try data(), as: UTF8.self) }

  mutating func optionalText() throws -> String? { try number() == 1 ? try text() : nil }

  mutating func data() throws -> Data { Data(try take(count())) }

  private mutating func take(_ count: Int) throws -> Data.SubSequence {
    guard rest.count >= count else { throw Malformed() }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
