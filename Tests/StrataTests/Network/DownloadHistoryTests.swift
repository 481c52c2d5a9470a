import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

/// Random histories of downloads: after any interruptions, a file has the bytes of one version.
final class DownloadHistoryTests: DiskTestCase {
  /// An origin whose resource changes, and whose responses are cut off at random positions.
  private final class Origin: HTTPTransport {
    let decodesBodies = false
    private let state: Lock<(random: SeededGenerator, version: Int)>
    /// Whether different versions have the same tag, which is forbidden.
    private let lies: Bool

    init(seed: UInt64, lies: Bool) {
      state = Lock((SeededGenerator(seed: seed), 0))
      self.lies = lies
    }

    static func body(_ version: Int) -> [UInt8] {
      Array(repeating: UInt8(truncatingIfNeeded: version), count: 100 + version % 3)
    }

    func send(
      _ request: OutgoingRequest, to receiver: any ResponseReceiver
    ) -> @Sendable () -> Void {
      let (version, ignores, shift, cut) = state.withLock { state in
        if Int.random(in: 0..<4, using: &state.random) == 0 { state.version += lies ? 3 : 1 }
        return (
          state.version, Int.random(in: 0..<6, using: &state.random) == 0,
          Int.random(in: 0..<8, using: &state.random) == 0 ? 1 : 0,
          Int.random(in: 0..<90, using: &state.random)
        )
      }
      let (body, tag) = (Self.body(version), lies ? "\"same\"" : "\"\(version)\"")
      var fields: HeaderFields = ["ETag": tag]
      var (status, start) = (200, 0)
      if let range = request.fields["Range"], !ignores, request.fields["If-Range"] == tag {
        start = Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
        status = 206
        fields["Content-Range"] = "bytes \(start + shift)-\(body.count - 1)/\(body.count)"
      }
      let rest = body[min(start + (status == 206 ? shift : 0), body.count)...]
      fields["Content-Length"] = "\(rest.count)"
      if receiver.receive(ResponseHead(status: status, fields: fields)) {
        _ = Array(rest.prefix(cut)).withUnsafeBytes { receiver.receive($0) }
      }
      receiver.finish(cut < rest.count ? URLError(.networkConnectionLost) : nil)
      return {}
    }
  }

  /// Returns what the files of a history contain, in order.
  private func history(seed: UInt64, lies: Bool = false) throws -> [[UInt8]] {
    let url = try XCTUnwrap(URL(string: "http://a.test/\(seed)"))
    let storage = FileStorage("files", in: URL(fileURLWithPath: base))
    let session = NetworkSession(Origin(seed: seed, lies: lies))
    let downloads = Fetcher.downloads(into: storage, session: session)
    return (0..<12).compactMap { _ in
      guard let file = try? downloads.get(url).wait() else { return nil }
      return (try? Data(contentsOf: file)).map { Array($0) }
    }
  }

  private func isMixed(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first else { return true }
    return bytes != Origin.body(Int(first))
  }

  func testAFileHasTheBytesOfOneVersion() throws {
    var count = 0
    for seed in 0..<UInt64(Extent.cases(40)) {
      let files = try history(seed: seed)
      count += files.count
      for file in files where isMixed(file) { XCTFail("seed \(seed): \(file)") }
    }
    XCTAssertGreaterThan(count, 40, "Too few downloads have ended.")
  }

  func testTheTestFindsAnOriginWhoseVersionsHaveOneTag() throws {
    let isFound = try (0..<UInt64(40)).contains { seed in
      try history(seed: seed, lies: true).contains(where: isMixed)
    }
    XCTAssertTrue(isFound)
  }
}
