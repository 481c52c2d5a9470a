import Foundation

extension Segment {
  /// Whether the record at an offset was cut short, and nothing that follows is part of the log.
  ///
  /// A scan has found that the record isn't complete. Either its writer was killed during the write
  /// (the record is *torn*), or its bytes were damaged later. If the record had ever been complete,
  /// later writers would have read past it. So it's torn if another record begins inside it, and no
  /// writer of a following record had read past its offset. No `set` of a record after a torn one
  /// has succeeded, because a `set` succeeds only if a scan can reach its record.
  ///
  /// Several records may be torn, one after the other.
  func isTorn(at start: Int, to end: Int) throws(FileError) -> Bool {
    var offset = start
    // The remaining bytes may be too few for a header, or for the header's record, whose write may
    // be in progress.
    while end - offset >= RecordHeader.length {
      let header = try header(at: offset)
      if let header {
        guard offset == start || header.read <= start else { return false }
        if offset + header.total > end { break }
        if offset > start, try isComplete(header, at: offset) {
          offset += header.total
          continue
        }
      }
      let next =
        if let header {
          try firstHeader(in: offset + 1..<offset + header.total, of: end)
        } else {
          try firstBeginning(inHeaderAt: offset, of: end)
        }
      guard let next else { return false }
      offset = next
    }
    return offset > start
  }

  private func isComplete(_ header: RecordHeader, at offset: Int) throws(FileError) -> Bool {
    let end = try bytes(
      from: offset + header.total - RecordHeader.endLength, count: RecordHeader.endLength)
    return end.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) } == header.endMark
  }

  /// Returns the first offset inside an incomplete header where another header may begin, or `nil`
  /// if there is none. That one may also be incomplete, because several writes in a row can be cut
  /// short. `end` is the length of the file.
  private func firstBeginning(inHeaderAt start: Int, of end: Int) throws(FileError) -> Int? {
    let count = min(end - start, RecordHeader.length + RecordHeader.beginning)
    return try bytes(from: start, count: count).withUnsafeBytes { bytes in
      (1..<RecordHeader.length).first {
        bytes.count - $0 >= RecordHeader.beginning
          && RecordHeader.begins(UnsafeRawBufferPointer(rebasing: bytes[$0...]))
      }
    }.map { start + $0 }
  }

  /// Returns the first offset in a range where a header begins, or `nil` if there is none. `end` is
  /// the length of the file.
  private func firstHeader(in range: Range<Int>, of end: Int) throws(FileError) -> Int? {
    var offset = range.lowerBound
    while offset < range.upperBound, end - offset >= RecordHeader.length {
      let window = try bytes(from: offset, count: min(64 << 10, end - offset))
      let found = window.withUnsafeBytes { RecordHeader.first(in: $0, of: id) }
      if let found { return offset + found < range.upperBound ? offset + found : nil }
      // A header may begin near the end of this window, and end in the next.
      offset += window.count - RecordHeader.length + 1
    }
    return nil
  }
}

extension RecordHeader {
  /// The number of bytes that identify the beginning of a header: the signature and the kind.
  fileprivate static let beginning = 8

  /// Whether some bytes look like the beginning of a header. The caller passes at least `beginning`
  /// (8) bytes.
  fileprivate static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.loadUnaligned(as: UInt32.self) == signature
      && Kind(rawValue: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)) != nil
  }

  /// Returns the index in some bytes at which the first valid header of a segment begins.
  fileprivate static func first(in bytes: UnsafeRawBufferPointer, of segment: UInt64) -> Int? {
    var index = 0
    while bytes.count - index >= length {
      // Finds the first byte of the signature.
      let rest = bytes.baseAddress! + index
      guard let found = memchr(rest, Int32(signature & 0xff), bytes.count - index) else {
        return nil
      }
      index += UnsafeRawPointer(found) - rest
      let candidate = UnsafeRawBufferPointer(rebasing: bytes[index...])
      if RecordHeader(candidate, in: segment) != nil { return index }
      index += 1
    }
    return nil
  }
}
