import Foundation

/// A segment that is only in memory, of whatever the fuzzer has made up.
///
/// Sums that it could never guess are put right where it has guessed a header's first four bytes, so
/// that what lies behind them is reached: of the header always, of the body if the kind is odd.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var bytes = Array(UnsafeBufferPointer(start: start, count: count))
  mend(&bytes)
  let content = bytes
  var files = FileSystem.system
  files.close = { _ in }
  files.read = { _, buffer, position in
    guard position < content.count else { return 0 }
    let part = content[position...].prefix(buffer.count)
    buffer.copyBytes(from: part)
    return part.count
  }
  for isFinal in [false, true] {
    let segment = Segment(number: 1, file: -1, files: files)
    var index = Index()
    let book = index.add(segment)!
    if let seal = try? segment.seal(size: content.count) {
      precondition(seal.covered <= seal.place && seal.place <= content.count)
      index.apply(seal.entries, clearedBefore: seal.lastClear, in: book)
    }
    var last = -1
    let known = try! segment.scan(from: 0, to: content.count, isFinal: isFinal) { header, place in
      precondition(place > last && place <= content.count - RecordHeader.length)
      last = place
      index.apply(header, at: place, in: book)
      let key = UnsafeRawBufferPointer(start: nil, count: 0)
      _ = segment.read(at: place, length: header.total, key: key, hash: header.hash, now: 0)
    }
    precondition(known <= content.count && (!isFinal || known >= last))
    precondition(index.live <= index.table.count)
    while index.forget(7, in: book).more {}
    precondition(index.live == 0 && index.table.count == 0)
  }
  return 0
}

/// What stands in for the order of long writes, which is no part of what is read.
final class KeyOrder<Key>: Sendable {}

private func mend(_ bytes: inout [UInt8]) {
  var place = 0
  let count = bytes.count
  bytes.withUnsafeMutableBytes { bytes in
    while place + RecordHeader.length <= count {
      defer { place += 1 }
      guard bytes[place] == RecordHeader.magicFirstByte,
        bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self) == RecordHeader.magic
      else { continue }
      let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[place...])
      let lengths = (8..<16).map { Int(rest[$0]) }
      let (key, value) = (lengths[0] | lengths[1] << 8, lengths[4] | lengths[5] << 8)
      if rest[4] & 1 == 1, 64 + key + value <= rest.count {
        let hash = rest.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
        let sum = RecordHeader.bodySum(
          key: UnsafeRawBufferPointer(rebasing: rest[64..<(64 + key)]),
          value: UnsafeRawBufferPointer(rebasing: rest[(64 + key)..<(64 + key + value)]),
          hash: hash)
        rest.storeBytes(of: sum, toByteOffset: 48, as: UInt64.self)
      }
      let sum = Checksum.of(UnsafeRawBufferPointer(rebasing: rest[..<56]), seed: 1)
      rest.storeBytes(of: sum, toByteOffset: RecordHeader.sumOffset, as: UInt64.self)
    }
  }
}
