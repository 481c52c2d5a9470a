import Foundation

extension Codec where Stored == Data {
  /// Marks what a codec writes with the version of the model, and refuses any other.
  ///
  /// Data of another version, or of none, is a failure of that level alone: the level beneath
  /// answers, and the back-fill replaces it.
  ///
  ///     let articles: Codec<Data, Article> = .versioned(2, .json())
  ///
  /// Eight bytes go before the data: `STV1`, then the version in four bytes, little-endian.
  ///
  /// - Parameters:
  ///   - version: From 0 to 4,294,967,295; one outside is brought to the nearest.
  ///   - codec: What reads and writes the rest.
  /// - Returns: A codec that fails with ``CacheError/otherVersion(found:expected:)``, and with
  ///   ``CacheError/undecodable(by:reason:)`` for data without a mark.
  /// - Law: what version 1 wrote, version 2 refuses; see
  ///   `VersionedTests.testAnotherVersionIsAFailureOfItsOwn`.
  public static func versioned(_ version: Int, _ codec: Codec) -> Codec {
    let mark = VersionMark(version: UInt32(clamping: version))
    return Codec(
      label: "versioned(\(mark.version), \(codec.label))",
      decode: { data in Promise(catching: { try mark.removed(from: data) }).flatMap(codec.decode) },
      encode: { value in codec.encode(value).map { mark.added(to: $0) } })
  }
}

/// The eight bytes before the data.
private struct VersionMark: Sendable {
  private static let name = Data("STV1".utf8)

  let version: UInt32

  func added(to data: Data) -> Data {
    var marked = Self.name
    withUnsafeBytes(of: version.littleEndian) { marked.append(contentsOf: $0) }
    marked.append(data)
    return marked
  }

  func removed(from data: Data) throws -> Data {
    guard data.count >= 8, data.starts(with: Self.name) else {
      throw CacheError.undecodable(by: "versioned", reason: "no version before the data")
    }
    let found = data.dropFirst(4).prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard found == version else {
      throw CacheError.otherVersion(found: Int(found), expected: Int(version))
    }
    return Data(data.dropFirst(8))
  }
}
