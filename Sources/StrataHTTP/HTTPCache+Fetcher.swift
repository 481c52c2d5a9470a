import Foundation
import Strata

extension HTTPCache {
  /// Returns a level that gets responses through this cache by URL, and converts the responses to
  /// values.
  ///
  /// - Parameter rule: The rule that decides which responses count as values.
  /// - Returns: A fetcher of stamped values. If a URL is offline and has no usable stored response,
  ///   a get is a miss. A write through a sum that contains this fetcher removes the stored
  ///   responses of the URL.
  public func fetcher<Plain>(
    accepting rule: ResponseRule<Plain>
  ) -> Fetcher<URL, Stamped<Plain>> {
    fetcher(accepting: rule, sending: [:])
  }

  /// Returns a level that sends requests with the given header fields.
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
  /// Above this level, don't put a level that stores values, because the upper level could return a
  /// response after its lifetime has ended. The values of ``fetcher(accepting:)`` are stamped with
  /// a deadline, so a level above that fetcher can store them.
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
