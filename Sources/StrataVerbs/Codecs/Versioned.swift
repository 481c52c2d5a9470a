import Foundation

extension Codec where Stored == Data {
  /// Returns a codec that stores the version of the model in a header before the data, and rejects
  /// data with any other version.
  ///
  /// When data has another version or no version, decoding fails. Then a sum reads the next level,
  /// and a back-fill replaces the rejected data.
  ///
  ///     let articles: Codec<Data, Article> = .versioned(2, .json())
  ///
  /// The header has eight bytes: `STV1`, and then the version in four bytes, little-endian.
  ///
  /// - Parameters:
  ///   - version: The version of the model, clamped to the range from 0 to 4,294,967,295.
  ///   - codec: The codec for the data after the header.
  /// - Returns: A codec that fails with ``CacheError/otherVersion(found:expected:)`` for data with
  ///   another version, and with ``CacheError/undecodable(by:reason:)`` for data without a header.
  /// - Law: The codec for version 2 rejects data from version 1. See
  ///   `VersionedTests.testAnotherVersionIsASpecificFailure`.
  public static func versioned(_ version: Int, _ codec: Codec) -> Codec {
    let header = VersionHeader(version: UInt32(clamping: version))
    return Codec(
      label: "versioned(\(header.version), \(codec.label))",
      decode: { data in Promise(catching: { try header.removed(from: data) }).flatMap(codec.decode)
      },
      encode: { value in codec.encode(value).map { header.added(to: $0) } })
  }
}

/// The version header: the eight bytes before the data.
private struct VersionHeader: Sendable {
  private static let name: StaticString = "STV1"

  let version: UInt32

  func added(to data: Data) -> Data {
    var result = Data(utf8: "\(Self.name)")
    withUnsafeBytes(of: version.littleEndian) { result.append(contentsOf: $0) }
    result.append(data)
    return result
  }

  func removed(from data: Data) throws -> Data {
    guard data.count >= 8, data.has(Self.name) else {
      throw CacheError.undecodable(by: "versioned", reason: "no version header")
    }
    let found = data.number(at: 4, bytes: 4)
    guard found == UInt64(version) else {
      throw CacheError.otherVersion(found: Int(found), expected: Int(version))
    }
    return data.subdata(in: data.startIndex + 8..<data.endIndex)
  }
}
