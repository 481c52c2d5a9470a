import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Tests the capacity of a directory that several processes use. Each log acts like a process.
final class SegmentLogCapacityTests: DiskTestCase {
  private func fill(_ log: SegmentLog, _ keys: Range<Int>) throws {
    for number in keys { try log.set(Data(count: 10_000), for: "\(number)") }
  }

  private func count(_ log: SegmentLog, _ keys: Range<Int>) -> Int {
    keys.count { log.value("\($0)") != nil }
  }

  /// A widget opens the app's directory with a small capacity, and reads one key. A get evicts
  /// nothing, even if the app isn't running.
  func testAGetEvictsNothing() throws {
    var app: SegmentLog? = log(capacity: 8 << 20)
    try fill(app!, 0..<600)
    for isRunning in [true, false] {
      if !isRunning { app = nil }
      let widget = log(capacity: 1 << 20)
      let used = usedBytes()
      XCTAssertNotNil(widget.value("5"))
      XCTAssertNil(widget.value("absent"))
      try widget.open()
      XCTAssertEqual(usedBytes(), used)
      XCTAssertEqual(count(widget, 0..<600), 600)
    }
  }

  /// The largest capacity that a live process requests is in effect, even if another process
  /// writes.
  func testTheLargestCapacityOfTheLiveProcessesIsInEffect() throws {
    var app: SegmentLog? = log(capacity: 8 << 20)
    try fill(app!, 0..<600)
    let widget = log(capacity: 1 << 20)
    try fill(widget, 600..<700)
    XCTAssertEqual(count(app!, 0..<700), 700)
    try widget.setCapacity(2 << 20)
    XCTAssertEqual(count(app!, 0..<700), 700)
    // A larger request of any process takes effect at once, and ends with its process.
    var third: SegmentLog? = log(capacity: 16 << 20)
    XCTAssertNotNil(third?.value("5"))
    try fill(app!, 700..<1_400)
    XCTAssertEqual(count(app!, 0..<1_400), 1_400)
    third = nil
    app = nil
    try widget.set(Data(), for: "last")
    XCTAssertLessThanOrEqual(usedBytes(), 2 << 20)
    XCTAssertNotNil(widget.value("1399"))
  }

  /// A process that lowers its own capacity frees the space.
  func testAChangeOfTheCapacityReachesOtherProcessesAndLooksAtThem() throws {
    let small = log(capacity: 1 << 20)
    try fill(small, 0..<10)
    var large: SegmentLog? = log(capacity: 1 << 20)
    try large!.open()
    try large!.setCapacity(8 << 20)
    try fill(small, 10..<300)
    XCTAssertEqual(count(small, 0..<300), 300, "The capacity of the other log is in effect.")
    large = nil
    try small.setCapacity(1 << 20)
    XCTAssertLessThanOrEqual(usedBytes(), 1 << 20, "The other log has ended.")
  }

  func testALowerCapacityOfTheLargestProcessIsInEffect() throws {
    let (app, widget) = (log(capacity: 8 << 20), log(capacity: 1 << 20))
    try fill(app, 0..<600)
    XCTAssertNotNil(widget.value("5"))
    try app.setCapacity(2 << 20)
    XCTAssertLessThanOrEqual(usedBytes(), 2 << 20)
    XCTAssertGreaterThan(usedBytes(), 1 << 20)
    try fill(widget, 600..<700)
    XCTAssertGreaterThan(usedBytes(), 1 << 20)
  }

  /// A process that only reads closes the files that another process has evicted. An open file
  /// takes space on the volume even after its removal.
  func testAReaderClosesTheFilesThatAnotherProcessHasEvicted() throws {
    let faulty = FaultyFileSystem()
    let (writer, reader) = (log(capacity: 1 << 20), log(capacity: 1 << 20, files: faulty.files))
    for number in 0..<1_000 {
      try writer.set(Data(count: 10_000), for: "\(number)")
      XCTAssertNotNil(reader.value("\(number)"))
    }
    XCTAssertLessThan(faulty.openDescriptors.count, names().count + 5)
  }

  #if os(Linux)
    private static let folderVariable = "STRATA_APP_FOLDER"

    /// The second process runs only this test. It fills the directory, prints `#`, and waits.
    func testTheApp() throws {
      guard let base = ProcessInfo.processInfo.environment[Self.folderVariable] else {
        throw XCTSkip("runs only as the child of another test")
      }
      // Removes the directory that `setUp` created, because this process will be killed.
      tearDown()
      let app = SegmentLog(directory: base + "/store", capacity: 8 << 20, background: { $0() })
      try fill(app, 0..<600)
      XCTAssertEqual(write(STDOUT_FILENO, "#", 1), 1)
      withExtendedLifetime(app) { _ = FileHandle.standardInput.readDataToEndOfFile() }
    }

    /// An app requests a large capacity, and its widget a small one. While the app lives, the
    /// widget evicts nothing. After the app was killed, only the widget's capacity is in effect.
    func testTheLargestCapacityOfTwoProcessesIsInEffectUntilTheLargerOneEnds() throws {
      let (app, output) = (Process(), Pipe())
      app.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      app.arguments = ["StrataTests.SegmentLogCapacityTests/testTheApp"]
      app.environment = ProcessInfo.processInfo.environment.merging(
        [Self.folderVariable: base]) { $1 }
      (app.standardInput, app.standardOutput) = (Pipe(), output)
      try app.run()
      defer { app.waitUntilExit() }
      defer { kill(app.processIdentifier, SIGKILL) }
      var seen = Data()
      while !seen.contains(UInt8(ascii: "#")) {
        let more = output.fileHandleForReading.availableData
        guard !more.isEmpty else { return XCTFail("the app ended") }
        seen += more
      }
      let widget = log(capacity: 1 << 20)
      XCTAssertEqual(count(widget, 0..<600), 600)
      try fill(widget, 600..<700)
      XCTAssertEqual(count(widget, 0..<700), 700)
      kill(app.processIdentifier, SIGKILL)
      app.waitUntilExit()
      XCTAssertEqual(count(widget, 0..<700), 700)
      try fill(widget, 700..<800)
      XCTAssertLessThanOrEqual(usedBytes(), 1 << 20)
      XCTAssertNotNil(widget.value("799"))
    }
  #endif
}
