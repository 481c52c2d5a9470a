import Foundation
import Strata
import StrataHTTP

/// A handler that answers requests from the cache or the origin, and logs one line per request.
struct ProxyHandler: Sendable {
  private let cache: HTTPCache
  private let origin: URL
  private let log: @Sendable (String) -> Void

  init(_ cache: HTTPCache, origin: URL, log: @escaping @Sendable (String) -> Void) {
    (self.cache, self.origin, self.log) = (cache, origin, log)
  }

  /// Returns the response to a request. Blocks until the response has arrived.
  ///
  /// - Throws: A ``ProxyFault`` if the request isn't valid.
  func response(to request: ProxyRequest) throws -> ProxyResponse {
    let forwarded = try request.forwarded(to: origin)
    let start = ContinuousClock.now
    do {
      let answer = try cache.answer(to: forwarded).wait()
      report(request, answer.response.status, answer.status.kind.rawValue, answer.status, start)
      return ProxyResponse(answer, to: request.method)
    } catch {
      let isLate = (error as? NetworkError)?.isLate ?? false
      report(request, isLate ? 504 : 502, "failed", nil, start, "\(error)")
      return ProxyResponse(
        status: isLate ? 504 : 502, "The origin can't be reached: \(error)",
        detail: "unreachable", to: request.method)
    }
  }

  private func report(
    _ request: ProxyRequest, _ status: Int, _ kind: String, _ cacheStatus: HTTPCacheStatus?,
    _ start: ContinuousClock.Instant, _ error: String? = nil
  ) {
    let name = kind.padding(toLength: 11, withPad: " ", startingAt: 0)
    let time = start.duration(to: .now) / .milliseconds(1)
    let why = error ?? cacheStatus?.reason ?? ""
    log(
      "\(name) \(status) \(request.method) \(request.target) \(String(format: "%.1f", time)) ms"
        + (why.isEmpty ? "" : ", \(why)"))
  }
}

extension NetworkError {
  fileprivate var isLate: Bool {
    guard case .deadlinePassed = reason else { return false }
    return true
  }
}

extension HTTPCacheStatus {
  /// A description of how the cache handled the request.
  var reason: String {
    var parts: [String] = []
    if let forward { parts.append(Self.texts[forward] ?? forward.rawValue) }
    if let timeToLive { parts.append(timeToLive < 0 ? "stale" : "fresh for \(timeToLive) s") }
    if isCollapsed { parts.append("waited for another request") }
    if kind == .miss { parts.append(isStored ? "stored" : "not stored") }
    if let detail { parts.append(detail) }
    return parts.joined(separator: ", ")
  }

  private static let texts: [Forward: String] = [
    .method: "the method isn't cached", .uriMiss: "no stored response",
    .varyMiss: "only other variants are stored", .stale: "stale",
    .request: "the request requires it",
    .partial: "only another part is stored",
  ]
}
