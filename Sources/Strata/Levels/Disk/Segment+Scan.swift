#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Segment {
  /// Reads the records from one place to another in order, and returns how far they are whole.
  ///
  /// Bytes that are no record are stepped over, to the next header that verifies. A record that
  /// ends beyond `end` is still being written, and reading stops before it; unless a header
  /// follows, or nothing is written before `end` any more: then it is torn, and what its header
  /// says counts all the same, so that what it replaced does not come back.
  ///
  /// - Parameters:
  ///   - isFinal: Whether all before `end` is as it will stay.
  ///   - apply: Called with each header and its place; reading ends behind a seal.
  func scan(
    from start: Int, to end: Int, isFinal: Bool,
    apply: (RecordHeader, _ place: Int) -> Void
  ) throws(FileSystemError) -> Int {
    var window = Window(segment: self, end: end)
    var place = start
    while place < end {
      guard end - place >= RecordHeader.length else { return isFinal ? end : place }
      guard let header = try window.header(at: place) else {
        let next = try window.nextHeader(from: place + 1)
        place = next ?? (isFinal ? end : end - RecordHeader.length + 1)
        if next == nil { return place }
        continue
      }
      let isWhole = header.total <= end - place
      let isSound = isWhole ? try window.holdsBody(of: header, at: place) : false
      if !isSound && !(isWhole && header.kind == .seal) {
        let next = try window.nextHeader(from: place + RecordHeader.length)
        if next == nil, !isWhole, !isFinal { return place }
        apply(header.withoutBody, place)
        if header.kind == .seal { return isFinal ? end : place }
        place = next ?? (isWhole ? place + header.total : end)
        continue
      }
      apply(header, place)
      place += header.total
      if header.kind == .seal { return place }
    }
    return place
  }
}

/// A part of a segment in memory that moves along with the reading.
private struct Window: ~Copyable {
  let segment: Segment
  let end: Int
  private var start = 0
  private var bytes = [UInt8]()
  private static let step = 1 << 18

  init(segment: Segment, end: Int) {
    (self.segment, self.end) = (segment, end)
  }

  /// Sees to it that so many bytes from a place on are in memory; they must lie before the end.
  private mutating func load(_ place: Int, _ count: Int) throws(FileSystemError) {
    if place >= start, place + count <= start + bytes.count { return }
    let size = min(max(count, Window.step), end - place)
    start = place
    if bytes.count != size { bytes = [UInt8](repeating: 0, count: size) }
    var failure: FileSystemError?
    bytes.withUnsafeMutableBytes { buffer in
      do throws(FileSystemError) { try segment.fill(buffer, from: place) } catch { failure = error }
    }
    if let failure {
      bytes = []
      throw failure
    }
  }

  private func with<Result>(
    _ place: Int, _ count: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    bytes.withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[(place - start)..<(place - start + count)]))
    }
  }

  mutating func header(at place: Int) throws(FileSystemError) -> RecordHeader? {
    try load(place, RecordHeader.length)
    return with(place, RecordHeader.length) { RecordHeader($0, in: segment.number) }
  }

  /// Whether the body sum holds of a record that ends before the end.
  mutating func holdsBody(of header: RecordHeader, at place: Int) throws(FileSystemError) -> Bool {
    try load(place, header.total)
    return with(place, header.total) { record in
      let value = RecordHeader.length + header.keyLength
      let sum = RecordHeader.bodySum(
        key: UnsafeRawBufferPointer(rebasing: record[RecordHeader.length..<value]),
        value: UnsafeRawBufferPointer(rebasing: record[value...]), hash: header.hash)
      return sum == header.bodySum
    }
  }

  /// The place of the next header that verifies, or `nil` if none does before the end.
  mutating func nextHeader(from first: Int) throws(FileSystemError) -> Int? {
    var place = first
    while end - place >= RecordHeader.length {
      try load(place, RecordHeader.length)
      let count = start + bytes.count - place
      let found = with(place, count) { Window.firstHeader(in: $0, of: segment.number) }
      if let found { return place + found }
      // A header may begin in this part and end in the next.
      place += count - RecordHeader.length + 1
    }
    return nil
  }

  private static func firstHeader(in bytes: UnsafeRawBufferPointer, of segment: UInt64) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    var place = 0
    while bytes.count - place >= RecordHeader.length {
      let rest = bytes.count - place
      guard let found = memchr(base + place, Int32(RecordHeader.magicFirstByte), rest) else {
        return nil
      }
      place = UnsafeRawPointer(found) - base
      let header = UnsafeRawBufferPointer(rebasing: bytes[place...])
      if RecordHeader(header, in: segment) != nil { return place }
      place += 1
    }
    return nil
  }
}
