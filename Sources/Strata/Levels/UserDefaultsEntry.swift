import Foundation

/// How a key and its value stand in a suite of defaults.
///
/// The name is `strata:` and the key with everything escaped that a property list may not keep:
/// equal strings have one name, whatever their normal form. Before the value go `STU1` and a
/// checksum of key and value, in eight bytes, little-endian.
struct UserDefaultsEntry {
  private static let prefix = "strata:"
  private static let mark = Data("STU1".utf8)

  let name: String
  private let key: [UInt8]

  init(_ key: String) {
    self.key = CanonicalKey.bytes(of: key)
    name = self.key.reduce(into: Self.prefix) { name, byte in
      if Self.plain.contains(byte) {
        name.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        name += byte < 16 ? "%0" : "%"
        name += String(byte, radix: 16)
      }
    }
  }

  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:".utf8)

  /// Whether a name is one of the level's.
  static func isOwn(_ name: String) -> Bool { name.hasPrefix(prefix) }

  /// Whether a value was written by the level, damaged or not.
  static func isOwn(_ value: Any?) -> Bool { (value as? Data)?.starts(with: mark) == true }

  func marked(_ value: Data) -> Data {
    var entry = Self.mark
    withUnsafeBytes(of: sum(of: value).littleEndian) { entry.append(contentsOf: $0) }
    entry.append(value)
    return entry
  }

  /// The value of an entry, or `nil` if it is damaged or somebody else's.
  func value(of entry: Data) -> Data? {
    guard entry.count >= 12, Self.isOwn(entry) else { return nil }
    let value = Data(entry.dropFirst(12))
    let found = entry.dropFirst(4).prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return found == sum(of: value) ? value : nil
  }

  private func sum(of value: Data) -> UInt64 {
    let seed = key.withUnsafeBytes { Checksum.of($0) }
    return value.withUnsafeBytes { Checksum.of($0, seed: seed) }
  }
}
