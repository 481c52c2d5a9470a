import Foundation

@testable import StrataCore
@testable import StrataNetwork

/// Encodes bodies with zlib, for origins in tests. If zlib isn't available, the results are empty.
enum BodyEncoder {
  private typealias Compress =
    @convention(c) (
      UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt>, UnsafePointer<UInt8>?, UInt, Int32
    ) -> Int32
  private typealias Checksum = @convention(c) (UInt, UnsafePointer<UInt8>?, UInt32) -> UInt

  private static let library = Lock(dlopen("libz.so.1", RTLD_NOW).map { UInt(bitPattern: $0) })

  private static func symbol(_ name: String) -> UnsafeMutableRawPointer? {
    let handle = library.withLock { $0 }.flatMap { UnsafeMutableRawPointer(bitPattern: $0) }
    return dlsym(handle, name)
  }

  /// Encodes the bytes in the zlib format (RFC 1950).
  static func deflate(_ bytes: [UInt8]) -> [UInt8] {
    guard let symbol = symbol("compress2") else { return [] }
    let compress = unsafeBitCast(symbol, to: Compress.self)
    var size = UInt(bytes.count + bytes.count / 100 + 100)
    var result = [UInt8](repeating: 0, count: Int(size))
    _ = compress(&result, &size, bytes, UInt(bytes.count), 6)
    return Array(result.prefix(Int(size)))
  }

  /// Encodes the bytes in the raw DEFLATE format (RFC 1951), which some origins send under the name
  /// `deflate`.
  static func rawDeflate(_ bytes: [UInt8]) -> [UInt8] {
    Array(deflate(bytes).dropFirst(2).dropLast(4))
  }

  /// Encodes the bytes in the gzip format (RFC 1952).
  static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    guard let symbol = symbol("crc32") else { return [] }
    let sum = UInt32(unsafeBitCast(symbol, to: Checksum.self)(0, bytes, UInt32(bytes.count)))
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + rawDeflate(bytes) + littleEndian(sum)
      + littleEndian(UInt32(bytes.count))
  }

  private static func littleEndian(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
