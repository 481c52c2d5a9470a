import Foundation

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

/// A simulated origin with a manual clock and a log of the requests. Each test chooses the replies.
final class FakeOrigin: @unchecked Sendable {  // The lock guards the state.
  struct Down: Error {}
  typealias Reply = @Sendable (RequestHead) throws -> (Int, HeaderFields, String)

  let time: TimeSource
  let clock: ManualTime
  private let state: Lock<State>

  private struct State {
    var reply: Reply
    var interim: [NetworkResponse.Interim] = []
    var hops: [NetworkResponse.Hop] = []
    var requests: [RequestHead] = []
    var isHeld = false
    var held: [@Sendable () -> Void] = []
    var cancelled = 0
  }

  init(_ reply: @escaping Reply = { _ in (200, [:], "body") }) {
    (time, clock) = TimeSource.manual(startingAt: HTTPFixtures.start)
    state = Lock(State(reply: reply))
  }

  var requests: [RequestHead] { state.withLock { $0.requests } }
  var count: Int { requests.count }
  var last: RequestHead? { requests.last }
  var cancelled: Int { state.withLock { $0.cancelled } }

  /// Replaces the reply.
  func replies(_ reply: @escaping Reply) { state.withLock { $0.reply = reply } }

  func replies(_ fields: HeaderFields, _ body: String = "body", status: Int = 200) {
    replies { _ in (status, fields, body) }
  }

  /// Sends interim responses before each response.
  func precedes(_ interim: [NetworkResponse.Interim]) { state.withLock { $0.interim = interim } }

  /// Makes each response come from the last of these redirected requests.
  func redirects(_ hops: [NetworkResponse.Hop]) { state.withLock { $0.hops = hops } }

  func isDown() { replies { _ in throw Down() } }

  /// Holds all later requests until `release` is called.
  func hold() { state.withLock { $0.isHeld = true } }

  func release() {
    state.withLock { $0.isHeld = false }
    step()
  }

  /// Answers all held requests, and holds the requests that follow.
  func step() {
    let held = state.withLock { state in
      defer { state.held = [] }
      return state.held
    }
    for reply in held { reply() }
  }

  var fetcher: Fetcher<URLRequest, NetworkResponse> {
    Fetcher<URLRequest, NetworkResponse> { [self] request in
      Promise { continuation in send(request, continuation) }
    }
  }

  private func send(
    _ request: URLRequest, _ continuation: Promise<NetworkResponse>.Continuation
  ) {
    let (head, asked) = (RequestHead(request), time.now())
    continuation.onCancel { [self] in state.withLock { $0.cancelled += 1 } }
    let answer: @Sendable () -> Void = { [self] in
      let (reply, interim, hops) = state.withLock { ($0.reply, $0.interim, $0.hops) }
      do {
        let (status, fields, body) = try reply(head)
        var response = NetworkResponse(
          status: status, fields: fields, body: head.method == "HEAD" ? Data() : Data(body.utf8),
          url: hops.last?.url ?? head.url, requestTime: asked, responseTime: time.now())
        (response.interim, response.hops) = (interim, hops)
        continuation.succeed(response)
      } catch { continuation.fail(error) }
    }
    let isHeld = state.withLock { state in
      state.requests.append(head)
      if state.isHeld { state.held.append(answer) }
      return state.isHeld
    }
    if !isHeld { answer() }
  }
}

/// An HTTP cache that stores responses in a dictionary and loads from a fake origin.
struct HTTPScene {
  let origin: FakeOrigin
  let store: Cache<String, Data>
  let cache: HTTPCache

  init(
    _ control: String? = nil, isShared: Bool = false, store: Cache<String, Data> = .dictionary(),
    isOffline: @escaping @Sendable (URL) -> Bool = { _ in false }
  ) {
    let origin = FakeOrigin()
    if let control { origin.replies(["Cache-Control": control]) }
    (self.origin, self.store) = (origin, store)
    cache = HTTPCache(
      storedIn: store, from: origin.fetcher, policy: HTTPCachePolicy(isShared: isShared),
      isOffline: isOffline, clock: origin.time)
  }

  /// A memory level of page bodies above the HTTP cache.
  var pages: Cache<URL, Data> {
    let memory: Cache<URL, Stamped<Data>> = .memory(clock: origin.time)
    return memory.backed(byStamped: cache.fetcher(accepting: .success), clock: origin.time)
  }

  static func request(
    _ fields: HeaderFields = [:], method: String = "GET", url: URL = HTTPFixtures.url
  ) -> URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = method
    for field in fields { request.addValue(field.value, forHTTPHeaderField: field.name) }
    return request
  }

  /// Starts a request.
  func start(
    _ fields: HeaderFields = [:], method: String = "GET", url: URL = HTTPFixtures.url
  ) -> Promise<HTTPAnswer> {
    cache.answer(to: Self.request(fields, method: method, url: url))
  }

  /// Makes a request and returns its answer.
  @discardableResult
  func get(
    _ fields: HeaderFields = [:], method: String = "GET", url: URL = HTTPFixtures.url
  ) throws -> HTTPAnswer {
    try start(fields, method: method, url: url).wait(for: .seconds(300))
  }

  /// Makes a request, and returns its outcome and the text of the response, such as `hit body`.
  func outcome(_ fields: HeaderFields = [:], method: String = "GET") throws -> String {
    let answer = try get(fields, method: method)
    return "\(answer.status.kind) \(answer.response.text)"
  }

  func wait(_ seconds: Double) { origin.clock.advance(by: .seconds(seconds)) }

  func date() -> String {
    HTTPDate.text(origin.time.now().sinceEpoch.components.seconds)
  }
}
