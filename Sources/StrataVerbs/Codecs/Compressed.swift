import Foundation

extension Codec where Stored == Data {
  /// Returns a codec that compresses the bytes of another codec with zlib.
  ///
  /// The codec leaves bytes as they are if they are short, or if compression doesn't make them
  /// shorter. You can add this codec to an existing store at any time, because it also reads the
  /// uncompressed bytes that were stored before.
  ///
  ///     let articles: Cache<String, Article> = disk <*> .compressed(.json())
  ///
  /// Compressed bytes contain a checksum and their decoded size. When the size is above the
  /// maximum, decoding fails before it allocates any memory. It also fails if the bytes are
  /// incomplete, longer than stated, or damaged. Then a sum reads the next level.
  ///
  /// Compressed bytes begin with a header of 20 bytes: `FF 5A 53 44`, then the decoded size and the
  /// checksum in 8 bytes each, little-endian. After the header, there is a raw deflate stream (RFC
  /// 1951). If plain bytes begin with `FF 5A 53`, they get a header with `50` instead of `44`.
  ///
  /// If zlib can't be loaded, encoding leaves all bytes as they are, and compressed bytes can't be
  /// decoded.
  ///
  /// - Parameters:
  ///   - codec: The codec whose bytes are compressed.
  ///   - threshold: The minimum size of a value that is compressed, in bytes. The default is 1,024.
  ///   - maximumSize: The maximum decoded size in bytes. Larger values aren't compressed. By
  ///     default, it's 64 MiB. A maximum above 4 GiB counts as 4 GiB.
  /// - Returns: A codec that fails with ``CacheError/undecodable(by:reason:)`` for bytes that it
  ///   can't decode.
  /// - Complexity: A hit decodes 1 MiB of text in about 3 ms.
  /// - Law: `.compressed(c) == c`, and decoding never expands bytes beyond the maximum size. See
  ///   `compression.transparency`, `compression.bound`, and `compression.damage` in `CodecLaws`.
  public static func compressed(
    _ codec: Codec, from threshold: Int = 1_024, atMost maximumSize: Int = 64 << 20
  ) -> Codec {
    let format = CompressedFormat(threshold: threshold, maximumSize: maximumSize)
    return Codec(
      label: "compressed(\(codec.label))",
      decode: { data in
        do { return codec.decode(try format.expanded(data)) } catch { return Promise(error: error) }
      },
      encode: { value in codec.encode(value).map(format.compressed) }
    ).decoding(true, isPrompt: codec.isPrompt)
  }
}

/// The format of compressed bytes.
struct CompressedFormat: Sendable {
  private static let mark: UInt64 = 0x53_5A_FF
  private static let header = 20
  /// A deflate stream encodes at most 258 bytes in two bits.
  private static let greatestRatio: UInt64 = 1_032

  private enum Form: UInt64 { case deflated = 0x44, plain = 0x50 }

  private let threshold: Int
  private let maximumSize: Int
  private let zlib: ZlibLibrary?

  init(threshold: Int, maximumSize: Int, zlib: ZlibLibrary? = .shared) {
    self.threshold = max(threshold, Self.header + 1)
    self.maximumSize = min(max(maximumSize, 0), Int(UInt32.max))
    self.zlib = zlib
  }

  func compressed(_ plain: Data) -> Data {
    if plain.count >= threshold, plain.count <= maximumSize, let zlib {
      // If the stream doesn't fit, compression doesn't make the bytes shorter.
      var result = Data(count: plain.count - 1)
      let count = result.withUnsafeMutableBytes { output in
        plain.withUnsafeBytes { input -> Int? in
          Self.write(.deflated, of: input, to: output)
          return zlib.deflate(input, into: .init(rebasing: output[Self.header...]))
        }
      }
      if let count { return result.subdata(in: 0..<Self.header + count) }
    }
    guard Self.isMarked(plain) else { return plain }
    var result = Data(count: Self.header)
    result.withUnsafeMutableBytes { output in
      plain.withUnsafeBytes { Self.write(.plain, of: $0, to: output) }
    }
    return result + plain
  }

  func expanded(_ data: Data) throws(CacheError) -> Data {
    guard Self.isMarked(data) else { return data }
    guard data.count >= Self.header, let form = Form(rawValue: data.number(at: 3, bytes: 1)) else {
      throw Self.failure("the header is damaged")
    }
    let (size, checksum) = (data.number(at: 4, bytes: 8), data.number(at: 12, bytes: 8))
    let content = data.subdata(in: data.startIndex + Self.header..<data.endIndex)
    let result: Data
    switch form {
    case .plain:
      guard size == UInt64(content.count) else { throw Self.failure("the size is wrong") }
      result = content
    case .deflated: result = try inflated(content, size)
    }
    guard Self.checksum(result, size) == checksum else {
      throw Self.failure("the checksum differs")
    }
    return result
  }

  private func inflated(_ content: Data, _ size: UInt64) throws(CacheError) -> Data {
    guard size <= UInt64(maximumSize) else {
      throw Self.failure(
        "\(size) bytes are more than the maximum of \(maximumSize): pass a greater atMost:")
    }
    guard size > 0, size / Self.greatestRatio <= UInt64(content.count) else {
      throw Self.failure("the size is wrong")
    }
    guard let zlib else {
      throw Self.failure("zlib can't be loaded: install zlib, which is libz.so.1")
    }
    var result = Data(count: Int(size))
    let isComplete = result.withUnsafeMutableBytes { output in
      content.withUnsafeBytes { zlib.inflate($0, into: output) }
    }
    guard isComplete else { throw Self.failure("the deflate stream is damaged") }
    return result
  }

  private static func isMarked(_ data: Data) -> Bool {
    data.count >= 3 && data.number(at: 0, bytes: 3) == mark
  }

  private static func write(
    _ form: Form, of plain: UnsafeRawBufferPointer, to output: UnsafeMutableRawBufferPointer
  ) {
    let size = UInt64(plain.count)
    output.storeBytes(
      of: UInt32(truncatingIfNeeded: form.rawValue << 24 | mark).littleEndian, as: UInt32.self)
    output.storeBytes(of: size.littleEndian, toByteOffset: 4, as: UInt64.self)
    output.storeBytes(
      of: Checksum.of(plain, seed: size).littleEndian, toByteOffset: 12, as: UInt64.self)
  }

  private static func checksum(_ data: Data, _ size: UInt64) -> UInt64 {
    data.withUnsafeBytes { Checksum.of($0, seed: size) }
  }

  private static func failure(_ reason: String) -> CacheError {
    .undecodable(by: "compressed", reason: reason)
  }
}
