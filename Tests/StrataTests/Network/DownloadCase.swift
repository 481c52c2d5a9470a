import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

/// The base class for tests of downloads from a server on this machine, which interrupts them.
class DownloadCase: DiskTestCase {
  static let body = String(
    (0..<50_000).map { Character(UnicodeScalar(UInt8(97 + $0 % 23))) })

  var storage: FileStorage { FileStorage("files", in: URL(fileURLWithPath: base)) }

  var downloads: Fetcher<URL, URL> { .downloads(into: storage, session: NetworkSession()) }

  func text(_ file: URL) throws -> String {
    try String(contentsOf: file, encoding: .utf8)
  }

  /// Returns a response with the header, and a body of which only some bytes are sent.
  static func response(
    _ status: Int = 200, _ fields: [String], _ body: Substring, length: Int? = nil
  ) -> LoopbackOrigin.Reply {
    let all = ["Content-Length: \(length ?? body.utf8.count)"] + fields
    return .raw(
      Array("HTTP/1.1 \(status) X\r\n\(all.joined(separator: "\r\n"))\r\n\r\n\(body)".utf8))
  }

  /// The position at which a request continues.
  static func start(_ request: LoopbackOrigin.Request) -> Int? {
    request.headers["range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
  }

  /// Serves the body with a validator. Each response ends after `count` bytes.
  static func reply(
    to request: LoopbackOrigin.Request, _ fields: [String], piece count: Int = 20_000,
    body: String = body
  ) -> LoopbackOrigin.Reply {
    guard let start = start(request) else {
      return response(200, fields, body.prefix(count), length: body.utf8.count)
    }
    let rest = body.dropFirst(start)
    let range = "Content-Range: bytes \(start)-\(body.utf8.count - 1)/\(body.utf8.count)"
    return response(206, fields + [range], rest.prefix(count), length: rest.utf8.count)
  }

  /// Downloads until a get succeeds.
  func file(_ url: URL, attempts: Int = 9) throws -> (text: String, attempts: Int) {
    for attempt in 1...attempts {
      guard let file = try? downloads.get(url).wait() else { continue }
      return (try text(file), attempt)
    }
    throw CacheError.notFound
  }

  func ranges(_ origin: LoopbackOrigin) -> [String] {
    origin.requests.map { request in
      [request.headers["range"], request.headers["if-range"]].compactMap(\.self)
        .joined(separator: " ")
    }
  }
}
