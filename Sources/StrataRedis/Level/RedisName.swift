import StrataCore

/// The names under which a server stores the values and the epoch of a prefix.
///
/// The name of a value consists of the prefix and the key, with each 0x01 byte written twice. But
/// an epoch's name contains a single 0x01 byte. So no value can have this name, not even a value of
/// another prefix.
enum RedisName {
  private static let mark: UInt8 = 1
  private static let epochEnd = [mark] + Array("epoch".utf8)

  /// Returns the name of a key, or the common beginning of all names of a prefix. Strings that are
  /// equal in Swift have the same name.
  static func bytes(of text: String, prefix: [UInt8] = []) -> [UInt8] {
    CanonicalKey.withBytes(of: text) { bytes in
      guard bytes.contains(mark) else {
        return Array(unsafeUninitializedCapacity: prefix.count + bytes.count) { name, count in
          count = prefix.count + bytes.count
          let name = UnsafeMutableRawBufferPointer(name)
          name.copyBytes(from: prefix)
          UnsafeMutableRawBufferPointer(rebasing: name[prefix.count...]).copyMemory(from: bytes)
        }
      }
      var name = prefix
      for byte in bytes { name += byte == mark ? [mark, mark] : [byte] }
      return name
    }
  }

  /// Appends the name of a key to a command, and returns its size.
  static func append(
    _ text: String, prefix: [UInt8], to encoder: inout RequestEncoder
  ) -> Int {
    CanonicalKey.withBytes(of: text) { bytes in
      guard bytes.contains(mark) else {
        encoder.append(prefix, bytes)
        return prefix.count + bytes.count
      }
      let name = Self.bytes(of: text, prefix: prefix)
      encoder.append(name)
      return name.count
    }
  }

  static func epoch(of prefix: [UInt8]) -> [UInt8] { prefix + epochEnd }

  /// Returns the key whose value has the given name, or `nil` if it's the name of an epoch.
  static func key(of name: [UInt8], prefix: [UInt8]) -> String? {
    let rest = name.dropFirst(prefix.count)
    guard rest.contains(mark) else { return String(decoding: rest, as: UTF8.self) }
    if rest.elementsEqual(epochEnd) { return nil }
    var (key, isSecond) = ([UInt8](), false)
    for byte in rest {
      isSecond = byte == mark && !isSecond
      if byte != mark || isSecond { key.append(byte) }
    }
    return String(decoding: key, as: UTF8.self)
  }
}
