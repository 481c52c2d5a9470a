import Foundation
import StrataNetwork

/// The URLs whose stored responses an unsafe request invalidates (RFC 9111, section 4.4).
enum Invalidation {
  /// Returns the URL of a successful unsafe request, the URLs to which it was redirected, and those
  /// in `Location` and `Content-Location`. But a URL of another origin is included only if the
  /// unsafe request was sent to it. For a safe or a failed request, the list is empty.
  ///
  /// A redirect means that the request succeeded, even if the response from its target is an error.
  static func urls(_ response: NetworkResponse, to request: RequestHead) -> [URL] {
    let isRedirected = !request.isAnswered(by: response)
    let isSuccess = HTTPStatus.isSuccess(response.status)
    guard !HTTPStatus.isSafe(request.method), isSuccess || isRedirected else { return [] }
    var others = isRedirected ? [response.url] : []
    if isSuccess {
      others += ["Location", "Content-Location"].compactMap { name in
        response.fields.values(of: name).first
          .flatMap { NetworkURL.url($0, relativeTo: response.url) }
      }
    }
    return targets(response.hops, of: request)
      + others.filter { NetworkURL.haveSameOrigin($0, request.url) }
  }

  /// Returns the URLs of an unsafe request whose outcome is unknown, because it failed or was
  /// cancelled.
  static func urls(after error: (any Error)?, to request: RequestHead) -> [URL] {
    guard !HTTPStatus.isSafe(request.method) else { return [] }
    return targets((error as? NetworkError)?.hops ?? [], of: request)
  }

  private static func targets(_ hops: [NetworkResponse.Hop], of request: RequestHead) -> [URL] {
    let targets = hops.filter { hop in
      !HTTPStatus.isSafe(hop.method) || NetworkURL.haveSameOrigin(hop.url, request.url)
    }
    return [request.url] + targets.map(\.url)
  }
}
