import Foundation

/// One file of the log, open for reading; closed when the last one lets go of it.
///
/// So whoever has found a record can read it, even if the file was removed meanwhile.
final class Segment: Sendable {
  let number: UInt64
  let file: Descriptor
  let files: FileSystem

  init(number: UInt64, file: Descriptor, files: FileSystem) {
    (self.number, self.file, self.files) = (number, file, files)
  }

  deinit { try? files.close(file) }

  /// Fills the buffer from a position on, or fails, at the file's end too.
  func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from position: Int
  ) throws(FileSystemError) {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = try files.read(file, rest, position + done)
      guard count > 0 else { throw FileSystemError(operation: "read", code: EIO) }
      done += count
    }
  }

  /// Fills both buffers, one after the other, from a position on, or fails.
  func fill(
    _ head: UnsafeMutableRawBufferPointer, _ tail: UnsafeMutableRawBufferPointer,
    from position: Int
  ) throws(FileSystemError) {
    let done = try files.readBoth(file, head, tail, position)
    if done == head.count + tail.count { return }
    guard done > 0 else { throw FileSystemError(operation: "read", code: EIO) }
    let first = min(done, head.count)
    try fill(UnsafeMutableRawBufferPointer(rebasing: head[first...]), from: position + first)
    let rest = UnsafeMutableRawBufferPointer(rebasing: tail[(done - first)...])
    try fill(rest, from: position + head.count + done - first)
  }

  /// The name of a segment's file: sixteen lowercase hexadecimal digits and a suffix.
  static func name(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: max(0, 16 - digits.count)) + digits + ".strata"
  }

  /// The numbers end here: further ones are foreign, so that the next can always be counted.
  static let numbersEnd: UInt64 = 1 << 62

  /// The number of a file with this name, or `nil` if it is not a segment's.
  static func number(of name: String) -> UInt64? {
    guard
      name.utf8.count == 23, let number = UInt64(name.prefix(16), radix: 16),
      number > 0, number < numbersEnd, Segment.name(number) == name
    else { return nil }
    return number
  }

  /// The number of a first segment: milliseconds since 1970, then 20 random bits.
  static func firstNumber(at now: Int64) -> UInt64 {
    UInt64(min(max(0, now), 1 << 41)) << 20 | UInt64.random(in: 0..<1 << 20)
  }
}

/// A descriptor that is closed when the last one lets go of it: the folder's, or the one to append.
final class OpenFile: Sendable {
  let descriptor: Descriptor
  private let files: FileSystem

  init(_ descriptor: Descriptor, files: FileSystem) {
    (self.descriptor, self.files) = (descriptor, files)
  }

  deinit { try? files.close(descriptor) }
}
