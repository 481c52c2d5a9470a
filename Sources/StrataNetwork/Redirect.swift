import Foundation

/// The rules for redirects, which are the same for every transport.
///
/// A redirect to another origin removes `Host` and the fields that identify the user:
/// `Authorization`, `Cookie`, `Proxy-Authorization`, and the secret fields of the session.
enum Redirect {
  static let withheldFields = ["Authorization", "Cookie", "Host", "Proxy-Authorization"]

  /// The maximum number of bytes to read from a redirect's body. When the body is longer, the
  /// transport stops reading, and doesn't reuse the connection.
  static let maximumBody = 1 << 16

  /// Returns the next request after a redirect, or `nil` if the response isn't a redirect.
  ///
  /// - Throws: `refusedURL` if the target must not be requested, or `malformedResponse` if the
  ///   response names different targets.
  static func following(
    _ head: ResponseHead, of request: OutgoingRequest, secretFields: [String]
  ) throws(NetworkError.Reason) -> OutgoingRequest? {
    guard [301, 302, 303, 307, 308].contains(head.status) else { return nil }
    let locations = head.fields.values(of: "Location")
    // An empty location is ignored, as in other clients.
    guard let location = locations.first, !location.isEmpty else { return nil }
    guard locations.allSatisfy({ HTTPSyntax.same($0, location) }) else {
      throw .malformedResponse("it has several different Location fields")
    }
    let target = URLReference(location).resolved(against: URLReference(request.url))
    let url = try NetworkURL.checked(target)
    var next = changingMethod(of: request, status: head.status)
    next.url = NetworkURL.withoutCredentials(url)
    if !NetworkURL.haveSameOrigin(request.url, url) {
      for name in withheldFields + secretFields { next.fields.remove(name) }
    }
    return next
  }

  /// Returns the request with the method that the redirect requires (RFC 9110, section 15.4). After
  /// status 303, every method except HEAD becomes GET. After status 301 or 302, only POST becomes
  /// GET.
  private static func changingMethod(of request: OutgoingRequest, status: Int) -> OutgoingRequest {
    let isPost = request.method == "POST" && status < 303
    guard request.method != "HEAD", isPost || status == 303 else { return request }
    var next = request
    next.method = "GET"
    next.body = nil
    for name in ["Content-Encoding", "Content-Language", "Content-Location", "Content-Type"] {
      next.fields.remove(name)
    }
    return next
  }
}
