import Foundation

/// A minimal disk cache that appends to one file and keeps the offsets of the values in memory.
///
/// Unlike the disk level, it doesn't verify its records and isn't thread-safe.
final class RawLog: @unchecked Sendable {  // Only one thread uses it.
  private let descriptor: Int32
  private var end = 0
  private var places: [String: Int] = [:]

  init(in directory: URL) throws {
    let path = directory.appendingPathComponent("raw").path
    descriptor = open(path, O_RDWR | O_CREAT | O_APPEND, 0o600)
    guard descriptor >= 0 else { throw SystemError("\(path) cannot be opened") }
  }

  deinit { close(descriptor) }

  func empty() throws {
    guard ftruncate(descriptor, 0) == 0 else { throw SystemError("a file cannot be truncated") }
    end = 0
  }

  /// Appends the name and the bytes with one system call.
  func append(_ name: String, _ data: Data) throws {
    var name = name
    let written = name.withUTF8 { name in
      data.withUnsafeBytes { data in
        var parts = [
          iovec(iov_base: .init(mutating: name.baseAddress), iov_len: name.count),
          iovec(iov_base: .init(mutating: data.baseAddress), iov_len: data.count),
        ]
        return writev(descriptor, &parts, 2)
      }
    }
    let size = name.utf8.count + data.count
    guard written == size else { throw SystemError("a write was incomplete") }
    places[name] = end + size - data.count
    end += size
  }

  func read(_ name: String, _ size: Int) -> Data? {
    guard let index = places[name] else { return nil }
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    guard pread(descriptor, bytes, size, off_t(index)) == size else {
      bytes.deallocate()
      return nil
    }
    return Data(bytesNoCopy: bytes, count: size, deallocator: .free)
  }
}
