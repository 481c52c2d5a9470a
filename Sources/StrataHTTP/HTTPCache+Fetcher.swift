import Foundation
import StrataNetwork

extension HTTPCache {
  /// Returns a level whose keys are URLs. The level gets responses through this cache, and converts
  /// them to values.
  ///
  /// - Parameter rule: The rule that accepts or rejects each response, and returns the value of an
  ///   accepted response.
  /// - Returns: A fetcher of stamped values. While `isOffline` returns `true` for the URL, a get
  ///   without a usable stored response is a miss. There's one exception: if the stored response is
  ///   fresh but incomplete, the rule receives a 504, so the get usually fails. A write to a sum
  ///   with this fetcher removes the stored responses for the written URL.
  public func fetcher<Plain>(
    accepting rule: ResponseRule<Plain>
  ) -> Fetcher<URL, Stamped<Plain>> {
    fetcher(accepting: rule, validating: false)
  }

  /// Returns a level that requests URLs. When `validating` is `true`, each request requires a
  /// validation.
  func fetcher<Plain>(
    accepting rule: ResponseRule<Plain>, validating: Bool
  ) -> Fetcher<URL, Stamped<Plain>> {
    let value = rule.value
    return Fetcher(
      get: { [self] url in
        start(URLRequest(url: url), validating: validating).map { answer in
          if answer.isExcluded { throw CacheError.conditionNotSatisfied }
          return try answer.stamped.map(value)
        }
      },
      forget: { [self] url in _ = url.map { remove($0) } ?? clear() }, plan: plan,
      works: works,
      reporting: { [self] in
        reporting(to: $0).fetcher(accepting: rule, validating: validating)
      }
    ).reading { [self] mode in
      mode == .reloading
        ? fetcher(accepting: rule, validating: true)
        : offline.fetcher(accepting: rule, validating: validating)
    }
  }

  /// A level that returns whole responses from this cache, for requests with any method.
  ///
  /// Don't put a memory or disk level above this level, because the upper level could return an
  /// expired response. Instead, put it above ``fetcher(accepting:)``, whose values are stamped with
  /// a deadline.
  public var responses: Fetcher<URLRequest, NetworkResponse> {
    Fetcher(
      get: { [self] request in start(request).map(\.response) },
      forget: { [self] request in _ = request.map { $0.url.map { remove($0) } } ?? clear() },
      plan: plan, works: works, reporting: { [self] in reporting(to: $0).responses }
    ).reading { [self] mode in mode == .reloading ? validatedResponses : offline.responses }
  }
}

extension HTTPCache {
  /// The level of `responses`, but each of its requests requires a validation.
  private var validatedResponses: Fetcher<URLRequest, NetworkResponse> {
    Fetcher(
      get: { [self] request in start(request, validating: true).map(\.response) },
      forget: { [self] request in _ = request.map { $0.url.map { remove($0) } } ?? clear() },
      plan: plan, works: works, reporting: { [self] in reporting(to: $0).validatedResponses }
    ).reading { [self] mode in mode == .reloading ? validatedResponses : offline.responses }
  }
}

extension HTTPAnswer {
  /// Whether the answer is a 504 because the `isOffline` closure returned `true`.
  var isExcluded: Bool { response.status == 504 && status.detail == "offline" }
}
