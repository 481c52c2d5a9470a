import Foundation

/// A value with its birth and deadline, in milliseconds since 1970.
struct StoredValue: Equatable {
  var value: Data
  var born: Int64
  var deadline: Int64
}

extension Segment {
  /// Reads the value at a place, if what lies there is a whole record of this key that is alive.
  ///
  /// In one call, header and key to the stack and the value to where it stays.
  func read(
    at offset: Int, length: Int, key: UnsafeRawBufferPointer, hash: UInt64, now: Int64
  ) -> StoredValue? {
    let size = RecordHeader.length + key.count
    guard length >= size, let memory = malloc(max(1, length - size)) else { return nil }
    let value = UnsafeMutableRawBufferPointer(start: memory, count: length - size)
    let header = withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { head in
      guard
        (try? fill(head, value, from: offset)) != nil,
        let header = RecordHeader(UnsafeRawBufferPointer(head), in: number),
        header.isValue(of: key, hash, in: head, at: now), header.total == length
      else { return nil as RecordHeader? }
      let bytes = UnsafeRawBufferPointer(value)
      let sum = RecordHeader.bodySum(key: key, value: bytes, hash: hash)
      return sum == header.bodySum ? header : nil
    }
    guard let header else {
      free(memory)
      return nil
    }
    return StoredValue(
      value: Data(bytesNoCopy: memory, count: value.count, deallocator: .free),
      born: header.born, deadline: header.deadline)
  }
}

extension RecordHeader {
  /// How far ahead of now a birth may lie: clocks differ, but not by more.
  private static let tolerance: Int64 = 60_000

  fileprivate func isValue(
    of key: UnsafeRawBufferPointer, _ hash: UInt64, in record: UnsafeMutableRawBufferPointer,
    at now: Int64
  ) -> Bool {
    guard kind == .set || kind == .copy, self.hash == hash, keyLength == key.count else {
      return false
    }
    guard let start = key.baseAddress, let stored = record.baseAddress, keyLength > 0 else {
      return isAlive(at: now)
    }
    return isAlive(at: now) && memcmp(start, stored + RecordHeader.length, keyLength) == 0
  }

  func isAlive(at now: Int64) -> Bool {
    deadline > now && born <= now.addingReportingOverflow(RecordHeader.tolerance).partialValue
  }

  /// Reads the header of a record that is whole, holds a value and is alive.
  init?(value record: UnsafeRawBufferPointer, in segment: UInt64, at now: Int64) {
    guard
      let header = RecordHeader(record, in: segment), header.total == record.count,
      header.kind == .set || header.kind == .copy, header.isAlive(at: now)
    else { return nil }
    let end = RecordHeader.length + header.keyLength
    let sum = RecordHeader.bodySum(
      key: UnsafeRawBufferPointer(rebasing: record[RecordHeader.length..<end]),
      value: UnsafeRawBufferPointer(rebasing: record[end...]), hash: header.hash)
    guard sum == header.bodySum else { return nil }
    self = header
  }
}
