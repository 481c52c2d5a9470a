import Foundation

/// The description of a save: its number, its slot, and its number of pages.
///
/// Saves with the same name use two slots in turn. The index is written after the last page. So if
/// a save is interrupted, the earlier save stays valid, and the next save overwrites the
/// interrupted one's pages.
struct WarmIndex: Equatable {
  static let magic: UInt64 = 0x5844_4e49_4d52_4157  // "WARMINDX"
  /// The maximum number of pages, which is more than any memory can fill.
  static let mostPages = 1 << 32

  let save: UInt64
  let slot: Int
  var pages: Int

  init(save: UInt64, slot: Int, pages: Int) {
    (self.save, self.slot, self.pages) = (save, slot, pages)
  }

  init?(_ bytes: Data) {
    guard bytes.count == 40, bytes.number(at: 0, bytes: 8) == WarmIndex.magic,
      bytes.number(at: 32, bytes: 8) == WarmPage.checksum(bytes.prefix(32))
    else { return nil }
    save = bytes.number(at: 8, bytes: 8)
    guard let slot = Int(exactly: bytes.number(at: 16, bytes: 8)), slot < 2,
      let pages = Int(exactly: bytes.number(at: 24, bytes: 8)), pages <= WarmIndex.mostPages
    else { return nil }
    (self.slot, self.pages) = (slot, pages)
  }

  var bytes: Data {
    var bytes = Data()
    for number in [WarmIndex.magic, save, UInt64(slot), UInt64(pages)] { bytes.append(number) }
    bytes.append(WarmPage.checksum(bytes))
    return bytes
  }

  func key(of page: Int, _ name: String) -> String { "\(name)/\(slot)/\(page)" }
}

/// A part of a save: the number of the save, a checksum, and records. Each record consists of the
/// lengths of its key and value, two times in nanoseconds since 1970, the key, and the value.
struct WarmPage {
  private static let head = 16
  private static let recordHead = 24
  private static let fullSize = 64 << 10
  /// The maximum size of a record. A disk level of the default capacity can store a page that
  /// contains such a record.
  private static let longest = 16 << 20

  private let save: UInt64
  private var body = Data()

  init(save: UInt64) { self.save = save }

  var isEmpty: Bool { body.isEmpty }
  var isFull: Bool { body.count >= WarmPage.fullSize }

  static func size(_ key: Data, _ value: Data) -> Int { recordHead + key.count + value.count }

  func accepts(_ key: Data, _ value: Data) -> Bool { WarmPage.size(key, value) <= WarmPage.longest }

  mutating func append(_ key: Data, _ value: Stamped<Data>) {
    body.append(UInt64(key.count) | UInt64(value.value.count) << 32)
    body.append(UInt64(bitPattern: value.storedAt.nanoseconds))
    body.append(UInt64(bitPattern: value.expiresAt?.nanoseconds ?? .max))
    body += key
    body += value.value
  }

  /// The bytes to store.
  var sealed: Data {
    var bytes = Data()
    bytes.append(save)
    bytes.append(WarmPage.checksum(body, seed: save))
    return bytes + body
  }

  /// Whether bytes begin like a page of a save.
  static func isPage(_ bytes: Data?, savedBy save: UInt64) -> Bool {
    guard let bytes, bytes.count >= head else { return false }
    return bytes.number(at: 0, bytes: 8) == save
  }

  /// Reads the records of a page, or returns `nil` if it's damaged or belongs to another save.
  static func records(
    of bytes: Data, savedBy save: UInt64
  ) -> [(key: Data, value: Stamped<Data>)]? {
    let bytes = Data(bytes)
    guard bytes.count >= head, bytes.number(at: 0, bytes: 8) == save,
      bytes.number(at: 8, bytes: 8) == checksum(bytes.dropFirst(head), seed: save)
    else { return nil }
    var (records, position) = ([(key: Data, value: Stamped<Data>)](), head)
    while position < bytes.count {
      guard bytes.count - position >= recordHead else { return nil }
      let key = Int(bytes.number(at: position, bytes: 4))
      let value = Int(bytes.number(at: position + 4, bytes: 4))
      let stored = Int64(bitPattern: bytes.number(at: position + 8, bytes: 8))
      let expires = Int64(bitPattern: bytes.number(at: position + 16, bytes: 8))
      position += recordHead
      guard bytes.count - position >= key + value else { return nil }
      records.append(
        (
          Data(bytes[position..<position + key]),
          Stamped(
            Data(bytes[position + key..<position + key + value]),
            storedAt: .init(nanoseconds: stored),
            expiresAt: expires == .max ? nil : .init(nanoseconds: expires))
        ))
      position += key + value
    }
    return records
  }

  static func checksum(_ bytes: Data, seed: UInt64 = 0) -> UInt64 {
    bytes.withUnsafeBytes { Checksum.of($0, seed: seed) }
  }
}

extension Data {
  /// Appends a number of eight bytes, little-endian.
  fileprivate mutating func append(_ number: UInt64) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
