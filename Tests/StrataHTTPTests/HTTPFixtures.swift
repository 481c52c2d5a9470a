import Foundation

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

/// The time at which each test starts (2026-01-01 00:00 UTC), and times relative to this start.
enum HTTPFixtures {
  static let epoch: Int64 = 1_767_225_600
  static let start = TimeSource.Instant(sinceEpoch: .seconds(epoch))
  static let url = URL(string: "http://example.com/page")!

  static func date(_ seconds: Int64) -> String { HTTPDate.text(epoch + seconds) }
  static func at(_ seconds: Double) -> TimeSource.Instant { start.advanced(by: .seconds(seconds)) }
}

/// Calls a closure on eight threads at the same time, and waits until all calls have returned.
func onEightThreads(_ body: @escaping @Sendable (_ thread: Int) -> Void) {
  let (ready, group) = (DispatchSemaphore(value: 0), DispatchGroup())
  for thread in 0..<8 {
    group.enter()
    Thread.detachNewThread {
      ready.wait()
      body(thread)
      group.leave()
    }
  }
  for _ in 0..<8 { ready.signal() }
  group.wait()
}

extension NetworkResponse {
  /// Returns a response that by default arrives at the start of the test.
  static func made(
    _ fields: HeaderFields = [:], status: Int = 200, body: String = "0123456789",
    asked: Double = 0, at arrival: Double = 0
  ) -> NetworkResponse {
    NetworkResponse(
      status: status, fields: fields, body: Data(body.utf8), url: HTTPFixtures.url,
      requestTime: HTTPFixtures.at(asked), responseTime: HTTPFixtures.at(arrival))
  }

  static func cached(_ control: String, _ more: HeaderFields = [:]) -> NetworkResponse {
    made(HeaderFields([.init(name: "Cache-Control", value: control)] + more))
  }

  var text: String { String(decoding: body, as: UTF8.self) }
}

extension RequestHead {
  static func made(_ fields: HeaderFields = [:], method: String = "GET") -> RequestHead {
    RequestHead(method: method, url: HTTPFixtures.url, fields: fields)
  }
}

extension StoredResponse {
  static func made(_ control: String, _ more: HeaderFields = [:]) -> StoredResponse {
    HTTPCachePolicy().stored(.cached(control, more), for: .made())
  }
}

extension Cache<String, Data> {
  /// A level that stores its values in a dictionary, which a test can look at.
  static func holding(_ held: Lock<[String: Data]>) -> Cache {
    Cache(
      get: { key in try held.withLock { $0[key] }.orMiss },
      set: { key, value in held.withLock { $0[key] = value } },
      remove: { key in held.withLock { $0[key] = nil } },
      clear: { held.withLock { $0 = [:] } })
  }
}

extension Optional {
  /// The value, or the error of a miss.
  fileprivate var orMiss: Wrapped {
    get throws {
      guard let self else { throw CacheError.notFound }
      return self
    }
  }
}
