import Foundation
import Strata

extension HTTPCache {
  /// Returns a level of the values that a rule makes of this cache's responses, by their URL.
  ///
  /// - Parameter rule: The rule that decides which responses are values.
  /// - Returns: A fetcher of stamped values. A URL that is offline and has no usable response is a
  ///   miss. Writing a key through a sum removes the stored responses of its URL.
  public func fetcher<Plain>(
    accepting rule: ResponseRule<Plain>
  ) -> Fetcher<URL, Stamped<Plain>> {
    fetcher(accepting: rule, sending: [:])
  }

  /// Returns the same level for requests with header fields.
  func fetcher<Plain>(
    accepting rule: ResponseRule<Plain>, sending fields: HTTPFields
  ) -> Fetcher<URL, Stamped<Plain>> {
    let value = rule.value
    return Fetcher(
      get: { [self] url in
        answer(to: URLRequest(url: url).with(fields)).map { answer in
          if answer.isExcluded { throw CacheError.conditionNotSatisfied }
          return try answer.stamped.map(value)
        }
      },
      forget: { [self] url in _ = url.map { remove($0) } ?? removeAll() }, plan: plan)
  }

  /// This cache as a level of whole responses to requests of any method.
  ///
  /// Don't put a storing level above it, because that level could return a response for too long.
  /// Use ``fetcher(accepting:)``, whose values are stamped.
  public var responses: Fetcher<URLRequest, HTTPResponse> {
    Fetcher(
      get: { [self] request in answer(to: request).map(\.response) },
      forget: { [self] request in _ = request.map { $0.url.map { remove($0) } } ?? removeAll() },
      plan: plan)
  }
}

extension HTTPAnswer {
  /// Whether there is no response because the URL is offline.
  var isExcluded: Bool { response.status == 504 && status.detail == "offline" }
}
