import Foundation
import Strata
import XCTest

@testable import strata_tool

final class HitRatioTests: XCTestCase {
  func testOptionsAreRead() throws {
    let options = try HitRatioOptions([
      "a", "--capacity", "10,5%", "--policy=opt,Strata", "-", "--csv", "--svg", "f",
      "--seed", "7",
    ])
    XCTAssertEqual(options.traces, ["a", "-"])
    XCTAssertEqual(options.capacities, [.entries(10), .percent(5)])
    XCTAssertEqual(options.policies, [.strata, .optimum])
    XCTAssertTrue(options.isCSV)
    XCTAssertEqual(options.seed, 7)
    XCTAssertEqual(TraceCapacity.percent(2).entries(of: 9935), 199)
    XCTAssertEqual(TraceCapacity.percent(0.1).entries(of: 9), 1)
    XCTAssertEqual(try HitRatioOptions(["a"]).effectiveCapacities.count, 5)
  }

  func testInvalidOptionsAreNamed() {
    for (arguments, word) in [
      ([], "a trace"), (["a", "--capacity", "0"], "'0'"), (["a", "--capacity", "101%"], "'101%'"),
      (["a", "--capacity", "5,"], "--capacity needs"), (["a", "--policy", "lfu"], "'lfu'"),
      (["--fast"], "'--fast'"), (["-", "-"], "one trace"), (["a", "--capacity", "-5"], "'-5'"),
      (["a", "--capacity", "nan%"], "'nan%'"), (["a", "--csv=no"], "--csv takes no value"),
      (["a", "--svg", "--csv"], "--svg needs"), (["a", "--seed=-1"], "'-1'"),
    ] {
      XCTAssertThrowsError(try HitRatioOptions(arguments)) { error in
        XCTAssertTrue(error is UsageError && "\(error)".contains(word), "\(error)")
      }
    }
  }

  func testSyntheticTrafficIsRepeatableAndMatchesItsName() throws {
    for kind in RequestTrace.Made.allCases {
      let trace = try RequestTrace(at: kind.rawValue)
      XCTAssertEqual(trace, .made(kind))
      XCTAssertEqual(trace.requests.count, 200_000)
      XCTAssertEqual(Set(trace.requests), Set(trace.keys.indices))
      XCTAssertEqual(Set(trace.keys).count, trace.keys.count)
    }
    let scans = RequestTrace.made(.scans)
    var uses = [Int](repeating: 0, count: scans.keys.count)
    for key in scans.requests { uses[key] += 1 }
    XCTAssertGreaterThanOrEqual(uses.count { $0 == 1 }, 40_000)
    let most = { (part: ArraySlice<Int>) in
      Dictionary(grouping: part) { $0 }.max { $0.value.count < $1.value.count }?.key
    }
    let drift = RequestTrace.made(.drift).requests
    XCTAssertNotEqual(most(drift[..<20_000]), most(drift[180_000...]))
  }

  func testAMixtureIsOneKindAfterAnother() throws {
    let mixture = try RequestTrace(at: "@zipf+@loop")
    let (zipf, loop) = (RequestTrace.made(.zipf), RequestTrace.made(.loop))
    XCTAssertEqual(mixture.name, "@zipf+@loop")
    XCTAssertEqual(mixture.requests.map { mixture.keys[$0] }, zipf.sequence + loop.sequence)
    XCTAssertTrue(Set(zipf.keys).isDisjoint(with: loop.keys))
    let twice = try RequestTrace(at: "@drift+@zipf")
    XCTAssertFalse(
      Set(RequestTrace.made(.drift).keys).isDisjoint(with: zipf.keys),
      "The traces should share keys.")
    XCTAssertEqual(twice.requests.count, 400_000)
    for wrong in ["@zipf+", "@zipf+loop", "+@loop"] {
      XCTAssertThrowsError(try RequestTrace(at: wrong))
    }
  }

  func testALoopAZigzagAndAShiftHaveTheirShapes() {
    let (loop, zigzag) = (RequestTrace.made(.loop), RequestTrace.made(.zigzag))
    XCTAssertEqual(loop.keys.count, 700)
    XCTAssertTrue(
      loop.requests.indices.dropFirst(700).allSatisfy {
        loop.requests[$0] == loop.requests[$0 - 700]
      })
    XCTAssertEqual(zigzag.keys.count, 1000)
    XCTAssertEqual(
      Array(zigzag.requests[..<1000].reversed().dropLast()),
      Array(zigzag.requests[999..<1998]), "the way back")
    let shift = RequestTrace.made(.shift).sequence
    XCTAssertFalse(Set(shift[..<1000]).isDisjoint(with: shift[1000..<2000]))
    XCTAssertTrue(Set(shift[..<1000]).isDisjoint(with: shift[20_000...]))
  }

  func testTheRowsHaveFourDecimals() async throws {
    let file = try Fixture("a\nb\na\n")
    defer { file.directory.remove() }
    let end = await file.run(["--csv", "--capacity", "1,100%", "--policy", "LRU,strata"])
    XCTAssertEqual(end.status, .success)
    XCTAssertEqual(
      end.output,
      [
        "trace,capacity,policy,hit_ratio", "web,1,strata,0.0000", "web,1,LRU,0.0000",
        "web,2,strata,0.3333", "web,2,LRU,0.3333",
      ])
    XCTAssertEqual("a,b\"c".csvField, "\"a,b\"\"c\"")
  }

  func testTheTableFitsAndTheCurvesAreWellFormed() async throws {
    let keys = (0..<600).map { "k<&\($0 % 7 == 0 ? $0 : $0 % 20)" }.joined(separator: "\n")
    let file = try Fixture(keys)
    defer { file.directory.remove() }
    let svg = file.directory.url.path + "/a.svg"
    let end = await file.run(["--svg", svg])
    XCTAssertEqual(end.status, .success)
    XCTAssertEqual(end.output.flatMap { $0.split(separator: "\n") }.filter { $0.count > 100 }, [])
    XCTAssertTrue(end.output.joined().contains("knee"))
    let drawing = try String(contentsOfFile: svg, encoding: .utf8)
    try assertWellFormed(drawing)
    XCTAssertTrue(drawing.contains("prefers-color-scheme: dark"))
    XCTAssertTrue(drawing.contains("knee"))
  }

  func testABadFileIsNamedWithItsLine() async throws {
    for (bytes, words) in [
      (Array("a\n".utf8) + [0xFF, 0x0A], ["web.txt: line 2 is not UTF-8"]),
      (Array("a\n\nb".utf8), ["line 2 is empty"]), ([], ["has no requests"]),
      ([0x1F, 0x8B, 8], ["is compressed", "gzip -dc"]),
      ([0xEF, 0xBB, 0xBF, 0x1F, 0x8B, 8], ["is compressed"]),
      ([0xEF, 0xBB, 0xBF], ["has no requests"]),
      ([0xFF, 0xFE, 97, 0], ["is UTF-16", "iconv"]),
    ] {
      let file = try Fixture(bytes)
      defer { file.directory.remove() }
      let end = await file.run([])
      XCTAssertEqual(end.status, .failure)
      XCTAssertEqual(end.output, [])
      for word in words { XCTAssertTrue(end.errors.contains(word), end.errors) }
    }
    XCTAssertThrowsError(try RequestTrace(at: "/nowhere/at all")) { error in
      XCTAssertEqual("\(error)", "/nowhere/at all doesn't exist")
    }
    XCTAssertThrowsError(try RequestTrace(at: "@zopf")) { error in
      XCTAssertEqual("\(error)", "@zopf isn't one of @zipf, @scans, @drift, @loop, @zigzag, @shift")
    }
    XCTAssertThrowsError(try RequestTrace(at: "/")) { error in
      XCTAssertEqual("\(error)", "/ cannot be read: Is a directory")
    }
  }

  private struct Fixture {
    let directory: TemporaryDirectory
    private let file: URL

    init(_ text: String) throws { try self.init(Array(text.utf8)) }

    init(_ bytes: [UInt8]) throws {
      directory = try TemporaryDirectory()
      file = directory.url.appendingPathComponent("web.txt")
      try Data(bytes).write(to: file)
    }

    func run(_ arguments: [String]) async -> (status: ExitStatus, output: [String], errors: String)
    {
      let (output, errors) = (Lock<[String]>([]), Lock(""))
      let console = Console(
        print: { text in output.withLock { $0.append(text) } },
        complain: { text in errors.withLock { $0 += text } }, isColored: false)
      let status = await StrataTool.run(["hitratio", file.path] + arguments, on: console)
      return (status, output.withLock { $0 }, errors.withLock { $0 })
    }
  }
}

extension RequestTrace {
  private static let all = Made.allCases.map { ($0, RequestTrace($0)) }

  /// Returns synthetic traffic that all tests share.
  static func made(_ kind: Made) -> RequestTrace { all.first { $0.0 == kind }!.1 }

  /// The requested keys, in order.
  fileprivate var sequence: [String] { requests.map { keys[$0] } }
}
