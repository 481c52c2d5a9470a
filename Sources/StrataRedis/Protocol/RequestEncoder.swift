import Foundation

/// Encodes requests as arrays of byte strings, which every server accepts.
struct RequestEncoder {
  private(set) var bytes: [UInt8] = []

  /// Begins a request with the given number of parts: the command and its arguments. The caller
  /// must then append each part.
  mutating func begin(_ count: Int) { header(UInt8(ascii: "*"), count) }

  /// Appends one argument.
  mutating func append(_ argument: some Collection<UInt8>) {
    header(UInt8(ascii: "$"), argument.count)
    bytes.append(contentsOf: argument)
    end()
  }

  /// Appends a record as one argument.
  mutating func append(_ value: Data, epoch: UInt64, _ trailer: RedisRecord.Trailer) {
    header(UInt8(ascii: "$"), value.count + 8 + RedisRecord.Trailer.size)
    value.withUnsafeBytes { bytes.append(contentsOf: $0) }
    append(raw: epoch.bigEndian)
    append(raw: trailer.created)
    append(raw: trailer.deadline)
    append(raw: trailer.sum.bigEndian)
    bytes.append(trailer.kind.rawValue)
    end()
  }

  private mutating func append(raw number: UInt64) {
    withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
  }

  /// Appends an argument that consists of two parts.
  mutating func append(_ first: [UInt8], _ second: UnsafeRawBufferPointer) {
    header(UInt8(ascii: "$"), first.count + second.count)
    bytes.append(contentsOf: first)
    bytes.append(contentsOf: second)
    end()
  }

  /// Appends a string as one argument.
  mutating func append(_ argument: String) { append(argument.utf8) }

  /// Appends a whole request.
  mutating func request(_ arguments: [[UInt8]]) {
    begin(arguments.count)
    for argument in arguments { append(argument) }
  }

  /// Appends a whole request whose arguments are strings.
  mutating func request(_ arguments: String...) {
    begin(arguments.count)
    for argument in arguments { append(argument) }
  }

  /// Appends bytes that are already encoded.
  mutating func append(encoded: [UInt8]) { bytes.append(contentsOf: encoded) }

  /// Removes bytes that have been sent.
  mutating func removeFirst(_ count: Int) {
    if count == bytes.count {
      bytes.removeAll(keepingCapacity: count <= 1 << 20)
    } else {
      bytes.removeSubrange(..<count)
    }
  }

  private mutating func end() {
    bytes.append(13)
    bytes.append(10)
  }

  private mutating func header(_ kind: UInt8, _ count: Int) {
    bytes.append(kind)
    var digit = 1
    while count / digit >= 10 { digit *= 10 }
    while digit > 0 {
      bytes.append(48 + UInt8(count / digit % 10))
      digit /= 10
    }
    end()
  }
}
