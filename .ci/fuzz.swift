import Foundation

/// Reads a segment with generated contents. The segment exists only in memory.
///
/// The fuzzer can't guess checksums, so the function `mend` corrects them. A record header begins
/// with the letters `STS2`, and `mend` corrects the checksum of each header in the input. If a
/// header is valid and the input contains its whole record, `mend` also corrects the record's last
/// eight bytes, which mark its end. The function `mend` corrects the checksum of a key and its
/// value only if the record's kind is an odd number. Other records keep their generated checksum,
/// so the fuzzer also tests wrong checksums.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var bytes = Array(UnsafeBufferPointer(start: start, count: count))
  mend(&bytes)
  let content = bytes
  var files = FileSystem.system
  files.open = { _, _, _ in -1 }
  files.close = { _ in }
  files.end = { _ in content.count }
  files.status = { _ in
    var status = FileStatus(stat())
    (status.isOwn, status.isOwnFile, status.size, status.links) = (true, true, content.count, 1)
    return status
  }
  files.read = { _, buffer, position in
    guard position < content.count else { return 0 }
    let part = content[position...].prefix(buffer.count)
    buffer.copyBytes(from: part)
    return part.count
  }
  guard let directory = try? OpenFile("", .directory, files),
    let segment = try? Segment(1, in: directory)
  else { preconditionFailure("The segment in memory can't be opened.") }
  var index = Index()
  let slot = index.add(segment)
  if let start = try? segment.start() { precondition(start.kind == .start) }
  if let seal = try? segment.seal(endingAt: content.count) {
    precondition(seal.covered <= content.count)
    index.apply(seal, in: slot)
  }
  var last = -1
  var end = 0
  let tail = try? segment.scan(from: 0, to: content.count) { header, offset in
    precondition(offset > last && offset == end)
    (last, end) = (offset, offset + header.total)
    precondition(end <= content.count)
    index.apply(header, at: offset, in: slot)
    let key = UnsafeRawBufferPointer(start: nil, count: 0)
    _ = segment.read(Entry(header, at: offset), key: key, at: 0)
  }
  precondition(tail != nil)
  precondition(index.live <= index.table.count)
  while index.forget(7, in: slot).more {}
  precondition(index.live == 0 && index.table.count == 0)
  return 0
}

private func mend(_ bytes: inout [UInt8]) {
  let count = bytes.count
  bytes.withUnsafeMutableBytes { bytes in
    for offset in 0..<max(0, count - RecordHeader.length + 1)
    where bytes[offset..<(offset + 4)].elementsEqual("STS2".utf8) {
      let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[offset...])
      let lengths = (8..<16).map { Int(rest[$0]) }
      let (key, value) = (lengths[0] | lengths[1] << 8, lengths[4] | lengths[5] << 8)
      let isWhole = RecordHeader.overhead + key + value <= rest.count
      if rest[4] & 1 == 1, isWhole {
        let hash = rest.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
        let sum = RecordHeader.bodySum(
          key: UnsafeRawBufferPointer(rebasing: rest[64..<(64 + key)]),
          value: UnsafeRawBufferPointer(rebasing: rest[(64 + key)..<(64 + key + value)]),
          hash: hash)
        rest.storeBytes(of: sum, toByteOffset: 48, as: UInt64.self)
      }
      let sum = Checksum.of(UnsafeRawBufferPointer(rebasing: rest[..<56]), seed: 1)
      rest.storeBytes(of: sum, toByteOffset: 56, as: UInt64.self)
      guard let header = RecordHeader(UnsafeRawBufferPointer(rest), in: 1),
        header.total <= rest.count
      else { continue }
      rest.storeBytes(
        of: header.endMark, toByteOffset: header.total - RecordHeader.endLength, as: UInt64.self)
    }
  }
}
