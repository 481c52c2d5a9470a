import Foundation
import XCTest

@testable import strata_tool

final class OutputFileTests: XCTestCase {
  private var directory = TemporaryDirectory?.none

  override func setUpWithError() throws { directory = try TemporaryDirectory() }
  override func tearDown() { directory?.remove() }

  private func path(_ name: String) throws -> String {
    try XCTUnwrap(directory).url.appendingPathComponent(name).path
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  func testAFileIsReplacedWithItsPermissionsThroughLinks() throws {
    let (file, link) = (try path("file"), try path("link"))
    try Data("old".utf8).write(to: URL(fileURLWithPath: file))
    chmod(file, 0o640)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "file")
    try OutputFile(link).write("new")
    XCTAssertEqual(try text(file), "new")
    XCTAssertEqual(try FileManager.default.destinationOfSymbolicLink(atPath: link), "file")
    var status = stat()
    XCTAssertEqual(fstatat(AT_FDCWD, file, &status, 0), 0)
    XCTAssertEqual(status.st_mode & 0o777, 0o640)
    let names = try FileManager.default.contentsOfDirectory(atPath: XCTUnwrap(directory).url.path)
    XCTAssertEqual(names.sorted(), ["file", "link"])
  }

  func testANewFileAndADanglingLinkAreCreated() throws {
    let link = try path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "target")
    try OutputFile(link).check()
    try OutputFile(link).write("one")
    XCTAssertEqual(try text(path("target")), "one")
    try OutputFile(path("new")).write("two")
    XCTAssertEqual(try text(path("new")), "two")
  }

  func testOneFileIsRecognizedByItsPaths() throws {
    let file = try path("file")
    try OutputFile(file).write("x")
    XCTAssertTrue(OutputFile(try path("./file")).isSame(as: file))
    XCTAssertFalse(OutputFile("/dev/null").isSame(as: "/dev/null"))
    XCTAssertFalse(OutputFile(file).isSame(as: try path("absent")))
  }
}

extension StrataToolTests {
  #if os(Linux)
    /// `ulimit -f` limits the size of written files, as a full volume does.
    func testAnExistingFileSurvivesAnIncompleteWrite() throws {
      let directory = try TemporaryDirectory()
      defer { directory.remove() }
      let file = directory.url.appendingPathComponent("a.svg")
      try Data("precious".utf8).write(to: file)
      let end = try run(
        ["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" explain --svg \"$1\"", file.path],
        shell: true)
      XCTAssertEqual(end.status, 1, end.errors)
      XCTAssertTrue(end.errors.contains("a.svg cannot be written: File too large"), end.errors)
      XCTAssertEqual(try String(contentsOf: file, encoding: .utf8), "precious")
      XCTAssertEqual(
        try FileManager.default.contentsOfDirectory(atPath: directory.url.path), ["a.svg"])
    }

    func testTooFewFilesAreNamed() throws {
      for count in [8, 12, 20] {
        let end = try run(["-c", "ulimit -n \(count); exec \"$0\" tour"], shell: true)
        XCTAssertEqual(end.status, 1, end.errors)
        XCTAssertTrue(end.errors.contains("(ulimit -n): Too many open files"), end.errors)
        XCTAssertEqual(end.errors.split(separator: "\n").count, 1, end.errors)
      }
    }

    func testWithoutASpareThreadTheToolEnds() throws {
      guard geteuid() == 0 else { throw XCTSkip("only root can become a user without threads") }
      let end = try run(
        [
          "-c",
          "exec setpriv --reuid 54321 --clear-groups bash -c 'ulimit -u 1; exec \"$0\" tour' \"$0\"",
        ], shell: true)
      XCTAssertEqual(end.status, 1, end.errors)
      XCTAssertTrue(end.errors.contains("no thread can be started"), end.errors)
    }

    func testATraceIsFoundUnderANameThatIsNotUTF8() throws {
      let directory = try TemporaryDirectory()
      defer { directory.remove() }
      let end = try run(
        [
          "-c",
          "f=\"$1/$(printf 'caf\\351').txt\"; printf 'a\\na\\n' >\"$f\"; "
            + "exec \"$0\" hitratio \"$f\" --csv --capacity 2 --policy LRU --svg \"$f.svg\"",
          directory.url.path,
        ], shell: true)
      XCTAssertEqual(end.status, 0, end.errors)
      XCTAssertTrue(end.output.hasSuffix("\ncaf\\xE9,2,LRU,0.5000\n"), end.output)
      let absent = try run(
        ["-c", "exec \"$0\" hitratio \"$(printf '/no/caf\\351')\""], shell: true)
      XCTAssertEqual(absent.errors, "strata-tool: /no/caf\\xE9 doesn't exist\n")
    }
  #endif

  func testTracesWithOneBaseNameAreToldApart() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    var files: [String] = []
    for name in ["a", "b"] {
      let folder = directory.url.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      files.append(folder.appendingPathComponent("web.txt").path)
      try Data("a\ra\r".utf8).write(to: URL(fileURLWithPath: files.last!))
    }
    let end = try run(
      ["hitratio", "--csv", "--capacity", "2", "--policy", "LRU"] + files + [files[0]])
    let rows = end.output.split(separator: "\n").dropFirst().map { $0.prefix { $0 != "," } }
    XCTAssertEqual(rows.map(String.init), files + [files[0] + " (2)"])
    XCTAssertTrue(end.output.contains(",0.5000"), "CR alone also ends a line")
    let overwritten = try run(["hitratio", files[0], "--svg", files[0]])
    XCTAssertEqual(overwritten.status, 2)
    XCTAssertEqual(try String(contentsOfFile: files[0], encoding: .utf8), "a\ra\r")
  }

  func testHugeNumbersEndWithATextAndNotWithATrap() throws {
    let sizes = (0..<40_000).map { "k\($0) 281474976710656" }.joined(separator: "\n")
    let sum = try run(["hitratio", "--sizes", "-"], input: sizes)
    XCTAssertEqual(sum.status, 1, sum.errors)
    XCTAssertTrue(sum.errors.contains("raises the sum of the sizes above 2^61"), sum.errors)
    let most = "\(Int.max)"
    for arguments in [
      ["--capacity", "1,\(most)", "--seed", most], ["--capacity", "1,\(most)", "--sizes"],
      ["--capacity", "4611686018427387904,1000000000000,1e-300%"],
    ] {
      let end = try run(["hitratio", "-"] + arguments, input: "\u{FEFF}a 5\nb 6\na 5\n")
      XCTAssertEqual(end.status, 0, end.errors)
      XCTAssertFalse(end.output.contains("\u{FEFF}"))
    }
  }

  func testTheVersionIsPrinted() throws {
    XCTAssertEqual(try run(["--version"]).output, "strata-tool \(Command.version)\n")
  }
}
