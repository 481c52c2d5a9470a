import Foundation

/// The names that the disk level gives to its folders.
///
/// They hold no more than plain characters of a level's name, so nothing that a user passes in can
/// lead out of the parent.
enum DiskNames {
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
    return readable + "%" + hash(level)
  }

  /// 128 bits of a name, which no two levels of one program share but by intent.
  private static func hash(_ name: String) -> String {
    CanonicalKey.withBytes(of: name) { bytes in
      [UInt64(0), 1].map { seed in
        let digits = String(Checksum.of(bytes, seed: seed), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
      }.joined()
    }
  }
}
