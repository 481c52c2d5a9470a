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
  /// In one call, and the bytes stay where they are read to.
  func read(
    at offset: Int, length: Int, key: UnsafeRawBufferPointer, hash: UInt64, now: Int64
  ) -> StoredValue? {
    let size = RecordHeader.length + key.count
    guard length >= size else { return nil }
    return length <= Segment.longestMoved && length >= 8 * size
      ? readWhole(offset, length, key, hash, now) : readApart(offset, length, key, hash, now)
  }

  /// To read into two places costs 80 ns more than into one. To move 4 KiB costs as much.
  private static var longestMoved: Int { 4 << 10 }

  /// Reads header, key and value to one place, and moves the value to its beginning.
  private func readWhole(
    _ offset: Int, _ length: Int, _ key: UnsafeRawBufferPointer, _ hash: UInt64, _ now: Int64
  ) -> StoredValue? {
    guard let memory = malloc(length) else { return nil }
    let record = UnsafeMutableRawBufferPointer(start: memory, count: length)
    let size = RecordHeader.length + key.count
    guard
      (try? fill(record, from: offset)) != nil,
      let found = header(
        in: UnsafeRawBufferPointer(record), UnsafeRawBufferPointer(rebasing: record[size...]),
        key, hash, now)
    else {
      free(memory)
      return nil
    }
    memmove(memory, memory + size, length - size)
    return StoredValue(taking: memory, count: length - size, found)
  }

  /// Reads header and key to the stack and the value to where it stays.
  private func readApart(
    _ offset: Int, _ length: Int, _ key: UnsafeRawBufferPointer, _ hash: UInt64, _ now: Int64
  ) -> StoredValue? {
    let size = RecordHeader.length + key.count
    guard let memory = malloc(max(1, length - size)) else { return nil }
    let value = UnsafeMutableRawBufferPointer(start: memory, count: length - size)
    let found = withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { head in
      guard (try? fill(head, value, from: offset)) != nil else { return nil as RecordHeader? }
      return header(
        in: UnsafeRawBufferPointer(head), UnsafeRawBufferPointer(value), key, hash, now)
    }
    guard let found else {
      free(memory)
      return nil
    }
    return StoredValue(taking: memory, count: value.count, found)
  }

  /// The header of a record, if that is a whole one of this key that is alive.
  private func header(
    in head: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
    _ key: UnsafeRawBufferPointer, _ hash: UInt64, _ now: Int64
  ) -> RecordHeader? {
    guard
      let header = RecordHeader(head, in: number), header.isValue(of: key, hash, in: head, at: now),
      header.valueLength == value.count,
      RecordHeader.bodySum(key: key, value: value, hash: hash) == header.bodySum
    else { return nil }
    return header
  }
}

extension StoredValue {
  /// The bytes are freed with the value.
  fileprivate init(taking memory: UnsafeMutableRawPointer, count: Int, _ header: RecordHeader) {
    self.init(
      value: Data(bytesNoCopy: memory, count: count, deallocator: .free), born: header.born,
      deadline: header.deadline)
  }
}

extension RecordHeader {
  /// How far ahead of now a birth may lie: clocks differ, but not by more.
  private static let tolerance: Int64 = 60_000

  fileprivate func isValue(
    of key: UnsafeRawBufferPointer, _ hash: UInt64, in record: UnsafeRawBufferPointer, at now: Int64
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
