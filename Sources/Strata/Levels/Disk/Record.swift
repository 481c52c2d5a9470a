import Foundation

/// One key with its value, as a file holds it.
///
/// A file is six words of eight bytes, least significant byte first, then the key and the value:
///
///     magic | version | key length | value length | deadline | checksum | key | value
///
/// The checksum covers all the rest. A file that is shorter or longer than its lengths say, or has
/// any other bit changed, is damaged; it is never half read.
struct Record: Equatable {
  var key: String
  var value: Data
  /// Nanoseconds since 1970 after which the value is no longer to be served; `Int64.max` is never.
  var deadline: Int64 = .max

  /// The bytes before the key.
  static let headerLength = 48
  static let version: UInt64 = 1
  /// "strata", then two bytes that a transfer as text would change.
  static let magic = UInt64(littleEndian: bytes("strata\u{1a}\n"))

  /// The length of the whole file; saturates.
  static func length(key: String, value: Data) -> Int {
    let (sum, overflow) = (headerLength + key.utf8.count).addingReportingOverflow(value.count)
    return overflow ? .max : sum
  }

  /// The file's content.
  func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Record.length(key: key, value: value))
    let lengths = [UInt64(key.utf8.count), UInt64(value.count)]
    for word in [Record.magic, Record.version] + lengths + [UInt64(bitPattern: deadline), 0] {
      withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
    }
    bytes.append(contentsOf: key.utf8)
    bytes.append(contentsOf: value)
    let checksum = bytes.withUnsafeBytes(Record.checksum)
    withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(40..<48, with: $0) }
    return bytes
  }

  /// The record in the content of a file, or `nil` if that is damaged.
  init?(_ file: UnsafeRawBufferPointer) {
    guard
      let header = Header(file, fileSize: file.count),
      header.checksum == Record.checksum(file)
    else { return nil }
    let body = UnsafeRawBufferPointer(rebasing: file[Record.headerLength...])
    key = String(decoding: body[..<header.keyLength], as: UTF8.self)
    value = Data(body[header.keyLength...])
    deadline = header.deadline
  }

  init(key: String, value: Data, deadline: Int64 = .max) {
    (self.key, self.value, self.deadline) = (key, value, deadline)
  }

  /// The part of a record that must make sense before memory is spent on the rest.
  struct Header {
    let keyLength: Int
    let deadline: Int64
    let checksum: UInt64

    /// Fails unless the lengths add up to exactly the file's size, which no length can then exceed.
    init?(_ bytes: UnsafeRawBufferPointer, fileSize: Int) {
      guard bytes.count >= headerLength, fileSize >= headerLength else { return nil }
      let words = (0..<6).map { Record.word($0, of: bytes) }
      let room = UInt64(fileSize - headerLength)
      guard
        words[0] == magic, words[1] == version, words[2] <= room, words[3] == room - words[2]
      else { return nil }
      keyLength = Int(words[2])
      deadline = Int64(bitPattern: words[4])
      checksum = words[5]
    }
  }

  /// The checksum of header (without its own word), key and value.
  static func checksum(_ file: UnsafeRawBufferPointer) -> UInt64 {
    let header = Checksum.of(UnsafeRawBufferPointer(rebasing: file[..<40]))
    return Checksum.of(UnsafeRawBufferPointer(rebasing: file[headerLength...]), seed: header)
  }

  private static func word(_ index: Int, of bytes: UnsafeRawBufferPointer) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
  }

  private static func bytes(_ text: StaticString) -> UInt64 {
    UnsafeRawPointer(text.utf8Start).loadUnaligned(as: UInt64.self)
  }
}
