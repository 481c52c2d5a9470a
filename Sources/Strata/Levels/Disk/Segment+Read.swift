import Foundation

/// A value with its birth and deadline, in milliseconds since 1970.
struct StoredValue: Equatable {
  var value: Data
  var born: Int64
  var deadline: Int64
}

extension Segment {
  /// Up to this length a record is read at once, to the stack.
  private static let small = 8_192

  /// Reads the value at a place, if what lies there is a whole record of this key that is alive.
  func read(
    at offset: Int, length: Int, key: UnsafeRawBufferPointer, hash: UInt64, now: Int64
  ) -> StoredValue? {
    guard length >= RecordHeader.length + key.count else { return nil }
    let isSmall = length <= Segment.small
    let size = isSmall ? length : RecordHeader.length + key.count
    return withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
      guard
        (try? fill(buffer, from: offset)) != nil,
        let header = RecordHeader(UnsafeRawBufferPointer(buffer), in: number),
        header.isValue(of: key, hash, in: buffer, at: now), header.total == length
      else { return nil }
      guard !isSmall else {
        let value = UnsafeRawBufferPointer(
          rebasing: buffer[(RecordHeader.length + key.count)..<length])
        let sum = RecordHeader.bodySum(key: key, value: value, hash: hash)
        return sum == header.bodySum ? header.stored(Data(value)) : nil
      }
      return readValue(header, at: offset + size, key: key)
    }
  }

  /// Reads a long value to where it stays.
  private func readValue(
    _ header: RecordHeader, at offset: Int, key: UnsafeRawBufferPointer
  ) -> StoredValue? {
    guard let memory = malloc(max(1, header.valueLength)) else { return nil }
    let buffer = UnsafeMutableRawBufferPointer(start: memory, count: header.valueLength)
    let value = UnsafeRawBufferPointer(buffer)
    guard
      (try? fill(buffer, from: offset)) != nil,
      RecordHeader.bodySum(key: key, value: value, hash: header.hash) == header.bodySum
    else {
      free(memory)
      return nil
    }
    return header.stored(
      Data(bytesNoCopy: memory, count: header.valueLength, deallocator: .free))
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

  fileprivate func stored(_ value: Data) -> StoredValue {
    StoredValue(value: value, born: born, deadline: deadline)
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
