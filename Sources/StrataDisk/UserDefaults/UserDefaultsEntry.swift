import Foundation

/// The stored form of a key and its value in a suite of user defaults.
///
/// The name of an entry is `strata:` and the percent-encoded key, because a property list might
/// change special characters. Equal keys have the same name, even if their Unicode normal forms
/// differ. The stored value consists of the signature `STU1`, an eight-byte little-endian checksum
/// of key and value, and the value itself.
struct UserDefaultsEntry {
  private static let prefix = "strata:"
  private static let signature: StaticString = "STU1"

  let name: String
  private let key: [UInt8]

  init(_ key: String) {
    self.key = CanonicalKey.bytes(of: key)
    let text = String(decoding: self.key, as: UTF8.self)
    name = Self.prefix + (text.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? "")
  }

  /// The characters that don't need to be escaped in a property list or a file name.
  static let plain = CharacterSet(
    charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")

  /// Whether a name has the level's prefix.
  static func isOwn(_ name: String) -> Bool { name.hasPrefix(prefix) }

  /// Whether a stored value begins with the level's signature. The bytes after it may be damaged.
  static func isOwn(_ value: Any?) -> Bool { (value as? Data)?.has(signature) == true }

  /// Returns the stored form of a value: a header, followed by the value.
  func adding(headerTo value: Data) -> Data {
    var entry = Data(utf8: "\(Self.signature)")
    withUnsafeBytes(of: sum(of: value).littleEndian) { entry.append(contentsOf: $0) }
    entry.append(value)
    return entry
  }

  /// Returns the value of an entry, or `nil` if the entry is damaged or wasn't written by Strata.
  func value(of entry: Data) -> Data? {
    guard entry.count >= 12, entry.has(Self.signature) else { return nil }
    let value = entry.subdata(in: entry.startIndex + 12..<entry.endIndex)
    return entry.number(at: 4, bytes: 8) == sum(of: value) ? value : nil
  }

  @inline(never)
  private func sum(of value: Data) -> UInt64 {
    let seed = key.withUnsafeBytes { Checksum.of($0) }
    return value.withUnsafeBytes { Checksum.of($0, seed: seed) }
  }
}
