import Foundation

/// The names that the disk level gives to its files and folders, and by which it knows them again.
///
/// None of them holds a character of a key or more than plain characters of a level's name, so
/// nothing that a user passes in can lead out of the folder.
enum DiskNames {
  /// The suffix names the format, so that a later format and this one ignore each other's files.
  static let recordSuffix = ".strata1"
  static let temporarySuffix = ".strata1-new"

  /// The name of the file for a key: the same for two keys exactly when they are equal in Swift.
  static func record(for key: String) -> String {
    SHA256.hex(CanonicalKey.bytes(of: key)) + recordSuffix
  }

  static func isRecord(_ name: String) -> Bool {
    isHex(name, digits: 64, suffix: recordSuffix)
  }

  /// A new name for a file that is still being written.
  static func temporary() -> String {
    let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits + temporarySuffix
  }

  static func isTemporary(_ name: String) -> Bool {
    isHex(name, digits: 16, suffix: temporarySuffix)
  }

  /// The name of the folder for a level of any name, however hostile: one plain path component.
  ///
  /// A short name of lowercase letters, digits, `-`, `_` and inner `.` stands for itself. Any other
  /// becomes something readable, a `%`, which no plain name has, and a hash: so two names never
  /// share a folder, not even where the file system takes "Foo" for "foo".
  static func folder(for level: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyz0123456789-_.")
    let isPlain = !level.isEmpty && level.count <= 64 && level.allSatisfy(plain.contains)
    if isPlain, level.first != ".", level.last != "." { return level }
    let readable = level.lowercased().prefix(32).filter { plain.contains($0) && $0 != "." }
    return readable + "%" + SHA256.hex(CanonicalKey.bytes(of: level)).prefix(32)
  }

  private static func isHex(_ name: String, digits: Int, suffix: String) -> Bool {
    let bytes = name.utf8
    guard bytes.count == digits + suffix.utf8.count, name.hasSuffix(suffix) else { return false }
    return bytes.prefix(digits).allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}
