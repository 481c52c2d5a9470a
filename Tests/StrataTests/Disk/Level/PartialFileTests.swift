import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

final class PartialFileTests: DiskTestCase {
  private let valueName = FileDirectory.name(of: URL(fileURLWithPath: "/a.bin"))
  private let note = PartialFile.Note(validator: "\"v1\"", total: 40 << 20)

  private let time = Lock<Int64>(0)

  private func directory(_ files: FileSystem = .system) -> FileDirectory {
    var files = files
    files.now = { [time] in time.withLock { $0 } }
    return FileDirectory(folder, capacity: 1 << 30, files: files)
  }

  private func open(_ directory: FileDirectory? = nil) throws -> PartialFile {
    try XCTUnwrap(try PartialFile(valueName, in: directory ?? self.directory()))
  }

  /// Writes bytes to a partial file, and keeps or abandons it.
  private func write(_ count: Int, keeps: Bool = true, in directory: FileDirectory? = nil) throws {
    let file = try open(directory)
    try file.restart(note)
    try file.append(Data(count: count))
    if keeps { file.keep() }
  }

  private var noteFile: URL { URL(fileURLWithPath: "\(folder)/\(valueName)~note") }

  func testOnlyOneObjectWritesAFile() throws {
    let first = try open()
    XCTAssertNil(try PartialFile(valueName, in: directory()))
    withExtendedLifetime(first) {}
  }

  func testWhatIsKeptContinues() throws {
    try write(5)
    let next = try open()
    XCTAssertEqual(next.length, 5)
    XCTAssertEqual(next.note, note)
    try next.append(Data([1]))
    XCTAssertEqual(try Data(contentsOf: try next.finish()), Data(count: 5) + [1])
    XCTAssertEqual(names(in: folder), [valueName])
  }

  func testWithoutANoteNothingContinues() throws {
    let file = try open()
    try file.restart(nil)
    try file.append(Data(count: 5))
    file.keep()
    XCTAssertEqual(names(in: folder), [])
  }

  func testWithoutBytesNothingIsKept() throws {
    try write(0)
    XCTAssertEqual(names(in: folder), [])
  }

  func testEightMegabytesAreFlushed() throws {
    try write(8 << 20, keeps: false)
    XCTAssertEqual(try open().length, 8 << 20)
  }

  func testAfterACrashTheFileContinuesAtTheLastFlushedStep() throws {
    try write(PartialFile.step + 7, keeps: false)
    try write(7, keeps: false)
    XCTAssertEqual(try open().length, 0, "The note is that of another beginning.")
    let file = try open()
    try file.restart(note)
    try file.append(Data(count: PartialFile.step))
    try file.append(Data(count: 3))
    withExtendedLifetime(file) {}
  }

  func testBytesThatNoNoteCountsAreDropped() throws {
    func crash() throws {
      let file = try open()
      try file.restart(note)
      try file.append(Data(count: PartialFile.step))
      try file.append(Data([1, 2, 3]))
    }
    try crash()
    let file = try open()
    XCTAssertEqual(file.length, PartialFile.step)
    XCTAssertEqual(file.note, note)
    try file.append(Data([9]))
    let value = try Data(contentsOf: try file.finish())
    XCTAssertEqual(value.count, PartialFile.step + 1)
    XCTAssertEqual(value.last, 9)
  }

  func testAfterACrashASlowFileContinuesAtTheLastTwoSeconds() throws {
    for step in [PartialFile.pause, -1] {  // Also if the clock is set back.
      func crash() throws {
        let file = try open()
        try file.restart(note)
        try file.append(Data(count: 5))
        time.withLock { $0 += step }
        try file.append(Data(count: 2))
        try file.append(Data(count: 9))
      }
      try crash()
      XCTAssertEqual(try open().length, 7)
    }
  }

  func testADamagedNoteBeginsAtTheFirstByte() throws {
    let bad = [
      "", "strata-part 1\n5\n", "strata-part 2\n5\n9\n\"v\"\n", "strata-part 1\n-5\n9\n\"v\"\n",
      "strata-part 1\n6\n9\n\"v\"\n", "strata-part 1\n5\n4\n\"v\"\n", "strata-part 1\n5\n9\n\n",
      "strata-part 1\n5\n9\n\"\u{1}\"\n", "strata-part 1\n99999999999999999999\n9\n\"v\"\n",
      "strata-part 1\n5\n9\n\"v\"\nmore\n",
      "strata-part 1\n5\n9\n\(String(repeating: "v", count: 4000))\n",
    ]
    for text in bad {
      try write(5)
      try Data(text.utf8).write(to: noteFile)
      let file = try open()
      XCTAssertEqual(file.length, 0, text)
      XCTAssertNil(file.note, text)
    }
    try write(5)
    try Data("strata-part 1\n5\n9\n\"v\"\n".utf8).write(to: noteFile)
    XCTAssertEqual(try open().length, 5)
  }

  func testAFileThatIsRemovedMeanwhileDoesNotBecomeAValue() throws {
    for clears in [false, true] {
      let (directory, file) = (directory(), try open())
      try file.restart(note)
      try file.append(Data(count: 5))
      if clears { try directory.removeAll() } else { try directory.remove(valueName) }
      XCTAssertThrowsError(try file.finish()) { error in
        guard case DiskError.unavailable(_, _, ENOENT) = error else { return XCTFail("\(error)") }
      }
      file.keep()
      XCTAssertNil(directory.find(valueName))
      XCTAssertEqual(try open().length, 0)
    }
  }

  func testAFullVolumeKeepsWhatHasArrived() throws {
    let isFull = Lock(false)
    let faults = FaultyFileSystem { _, call in
      call == "append" && isFull.withLock { $0 } ? ENOSPC : nil
    }
    let directory = directory(faults.files)
    func fill() throws {
      let file = try open(directory)
      try file.restart(note)
      try file.append(Data(count: PartialFile.step))
      isFull.withLock { $0 = true }
      faults.shortened.withLock { $0 = 2 }  // Some of the bytes are written.
      XCTAssertThrowsError(try file.append(Data([1, 2, 3]))) {
        XCTAssertTrue("\($0)".contains("Free some space"), "\($0)")
      }
      file.keep()
    }
    try fill()
    isFull.withLock { $0 = false }
    let file = try open(directory)
    XCTAssertEqual(file.length, PartialFile.step)
    try file.append(Data([7]))
    XCTAssertEqual(try Data(contentsOf: try file.finish()).last, 7)
  }

  func testEachCallMayFail() throws {
    for number in 1...40 {
      let faults = FaultyFileSystem.failing(number, forEver: false, with: EIO)
      let directory = directory(faults.files)
      for _ in 0..<2 {
        guard let file = try? PartialFile(valueName, in: directory) else { continue }
        let start = file.length
        guard (try? file.restart(note)) != nil || start == 0 else { continue }
        guard (try? file.append(Data([1, 2, 3]))) != nil else {
          file.keep()
          continue
        }
        file.keep()
      }
      let file = try open(self.directory())
      XCTAssertTrue(file.length == 0 || file.length == 3, "\(number): \(file.length)")
      file.discard()
      XCTAssertEqual(names(in: folder).filter { !$0.contains("~new") }, [], "\(number)")
      XCTAssertEqual(faults.openDescriptors, [], "\(number)")
    }
  }
}
