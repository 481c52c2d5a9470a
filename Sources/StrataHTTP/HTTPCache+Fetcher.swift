import Foundation
import Strata

extension HTTPCache {
  /// Returns a level whose keys are URLs, and whose values are created from this cache's responses
  /// by a rule.
  ///
  /// - Parameter rule: The rule that decides which responses are values.
  /// - Returns: A fetcher of stamped values. A get of an offline URL without a usable stored
  ///   response is a miss. A write through a sum removes the stored responses of the URL.
  public func fetcher<Plain>(
    accepting rule: ResponseRule<Plain>
  ) -> Fetcher<URL, Stamped<Plain>> {
    fetcher(accepting: rule, sending: [:])
  }

  /// Returns a level whose requests have the given header fields.
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

  /// A level of whole responses from this cache, for requests of any method.
  ///
  /// Don't put a level that stores values above this level, because it could return a response
  /// after the response's lifetime. Use ``fetcher(accepting:)`` instead, whose values are stamped.
  public var responses: Fetcher<URLRequest, HTTPResponse> {
    Fetcher(
      get: { [self] request in answer(to: request).map(\.response) },
      forget: { [self] request in _ = request.map { $0.url.map { remove($0) } } ?? removeAll() },
      plan: plan)
  }
}

extension HTTPAnswer {
  /// Whether the answer is a 504 because the URL is offline.
  var isExcluded: Bool { response.status == 504 && status.detail == "offline" }
}
