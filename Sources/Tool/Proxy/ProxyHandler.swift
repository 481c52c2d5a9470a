import Foundation
import Strata
import StrataHTTP

/// A handler that answers requests from the cache or the origin, and logs one line per request.
struct ProxyHandler: Sendable {
  let hosts: ProxyHosts
  private let cache: HTTPCache
  private let origin: URL
  private let status: LiveStatus?
  private let log: @Sendable (String) -> Void

  init(
    _ cache: HTTPCache, origin: URL, hosts: ProxyHosts = ProxyHosts(), status: LiveStatus? = nil,
    log: @escaping @Sendable (String) -> Void
  ) {
    (self.cache, self.origin, self.hosts, self.status) = (cache, origin, hosts, status)
    self.log = { log($0.withoutControls) }
  }

  /// Returns the response to a request. Blocks until the response has arrived. When the body of the
  /// response is streamed, blocks only until the header has arrived.
  ///
  /// When the response is to be stored, the store has it before this function returns. So the
  /// response isn't lost if the process ends then.
  ///
  /// - Throws: A ``ProxyFault`` if the request isn't valid.
  func response(to request: ProxyRequest) throws -> ProxyResponse {
    let forwarded = try request.forwarded(to: origin)
    let start = ContinuousClock.now
    do {
      let answer = try cache.start(forwarded).wait()
      let (status, fault) = outcome(of: answer)
      report(request, answer.response.status, status.kind.rawValue, start, status.reason(fault))
      return ProxyResponse(answer, status, to: request.method)
    } catch {
      let (status, text) = Self.explanation(of: error)
      report(request, status, "failed", start, text)
      return ProxyResponse(status: status, text, detail: "unreachable", to: request.method)
    }
  }

  /// Reports a request that the proxy refuses.
  func report(_ fault: ProxyFault, _ status: Int, _ method: String) {
    log(
      "\("refused".padding(to: 11)) \(status) \(method.isEmpty ? "-" : method) \(fault.explanation)"
    )
  }

  /// Reports that the origin didn't complete a streamed body.
  func report(_ error: NetworkError) {
    log("\("cut short".padding(to: 11)) \(Self.explanation(of: error).text)")
  }

  /// Waits until the store has accepted or refused the response, and returns the status with the
  /// store's decision.
  private func outcome(of answer: HTTPAnswer) -> (HTTPCacheStatus, (any Error)?) {
    var status = answer.status
    do { try answer.write?.wait(for: .seconds(10)) } catch {
      status.isStored = false
      status.detail = status.detail ?? "store-failed"
      return (status, error)
    }
    return (status, nil)
  }

  /// Returns the status and the text of a failure. Errors of the network level name parameters of
  /// the library, but this text names the proxy's options instead.
  private static func explanation(of error: any Error) -> (status: Int, text: String) {
    switch (error as? NetworkError)?.reason {
    case .deadlinePassed(let deadline):
      let limit = "the response wasn't complete after \(deadline)"
      return (504, "The origin is too slow: \(limit). To allow more time: --deadline SECONDS")
    case .refusedRequest(let fault): return (502, "The request can't be forwarded: \(fault).")
    default: return (502, "The origin can't be reached: \(error)")
    }
  }

  private func report(
    _ request: ProxyRequest, _ status: Int, _ kind: String, _ start: ContinuousClock.Instant,
    _ why: String
  ) {
    let duration = start.duration(to: .now)
    self.status?.count(kind, duration)
    let tenths = Int((duration / .microseconds(100)).rounded())
    log(
      "\(kind.padding(to: 11)) \(status) \(request.method) \(request.target) "
        + "\(tenths / 10).\(tenths % 10) ms\(why.isEmpty ? "" : ", \(why)")")
  }
}

extension String {
  /// The text with a question mark for each control character, because a client or an origin could
  /// send commands to the terminal.
  fileprivate var withoutControls: String {
    // The categories of scalars take long to look up, and nearly all lines are plain ASCII.
    guard utf8.contains(where: { $0 < 32 || $0 > 126 }),
      unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return self }
    return String(
      String.UnicodeScalarView(
        unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }
}

extension HTTPCacheStatus {
  /// Returns a description of how the cache handled the request.
  ///
  /// - Parameter fault: The error of the store if it refused the response.
  func reason(_ fault: (any Error)?) -> String {
    var parts: [String] = []
    if let forward { parts.append(Self.texts[forward] ?? forward.rawValue) }
    if let timeToLive { parts.append(timeToLive < 0 ? "stale" : "fresh for \(timeToLive) s") }
    if isCollapsed { parts.append("waited for another request") }
    if kind == .miss || fault != nil { parts.append(isStored ? "stored" : "not stored") }
    if let fault { parts.append("\(fault)") } else if let detail { parts.append(detail) }
    return parts.joined(separator: ", ")
  }

  private static let texts: [Forward: String] = [
    .method: "the method isn't cached", .uriMiss: "no stored response",
    .varyMiss: "only other variants are stored", .stale: "stale",
    .request: "the request requires it",
    .partial: "only another part is stored",
  ]
}
