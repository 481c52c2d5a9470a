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
    let expected = UInt32(clamping: version)
    return Codec(
      label: "versioned(\(expected), \(codec.label))",
      decode: { data in
        guard data.count >= 8, data.prefix(4).elementsEqual(mark) else {
          return Promise(
            error: CacheError.undecodable(by: "versioned", reason: "no version before the data"))
        }
        let found = data.dropFirst(4).prefix(4).reversed().reduce(UInt32(0)) {
          $0 << 8 | UInt32($1)
        }
        guard found == expected else {
          return Promise(error: CacheError.otherVersion(found: Int(found), expected: Int(expected)))
        }
        return codec.decode(Data(data.dropFirst(8)))
      },
      encode: { value in
        codec.encode(value).map { data in
          var marked = Data(mark)
          withUnsafeBytes(of: expected.littleEndian) { marked.append(contentsOf: $0) }
          marked.append(data)
          return marked
        }
      })
  }

  private static var mark: String.UTF8View { "STV1".utf8 }
}
