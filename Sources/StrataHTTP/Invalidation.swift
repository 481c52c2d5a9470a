import Foundation
import Strata

/// The URLs that a response invalidates (RFC 9111, section 4.4).
enum Invalidation {
  /// Returns the URL of a successful unsafe request, and the URLs in `Location` and
  /// `Content-Location` if their origin is the origin of the request's URL. The result is empty if
  /// the method is safe or the request fails.
  static func urls(_ response: HTTPResponse, to request: RequestHead) -> [URL] {
    guard !HTTPStatus.isSafe(request.method), HTTPStatus.isSuccess(response.status) else {
      return []
    }
    let others = ["Location", "Content-Location"].compactMap { name in
      response.fields.values(of: name).first
        .flatMap { URL(string: $0, relativeTo: request.url)?.absoluteURL }
    }
    return [request.url] + others.filter { NetworkURL.haveSameOrigin($0, request.url) }
  }
}
