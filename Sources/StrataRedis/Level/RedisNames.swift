import StrataCore

/// The names of several keys, encoded as arguments of a command. Because they share one array, a
/// name needs no allocation of its own.
struct RedisNames: Sendable {
  private var encoder = RequestEncoder()
  private var ranges: [Range<Int>] = []

  /// Creates the names of keys with a prefix, which is itself encoded like a name.
  init(of keys: ArraySlice<String>, prefix: [UInt8]) {
    ranges.reserveCapacity(keys.count)
    for key in keys {
      let size = RedisName.append(key, prefix: prefix, to: &encoder)
      let end = encoder.bytes.count - 2  // Without CR LF.
      ranges.append(end - size..<end)
    }
  }

  /// The names, as arguments of a command.
  var encoded: [UInt8] { encoder.bytes }

  var count: Int { ranges.count }

  /// The name of the key at an index.
  subscript(index: Int) -> ArraySlice<UInt8> { encoder.bytes[ranges[index]] }
}
