import Foundation
import StrataExplain

@testable import StrataCore
@testable import StrataVerbs

extension CachePlan {
  /// The plan of a pipeline that resembles the documentation's main example, but has no disk level
  /// and no network level.
  static let pages: CachePlan = {
    let cache: Cache<URL, String> =
      .memory()
      + (\.absoluteString <^> Cache<String, Data>.memory(capacity: 9) <*> .utf8
      + Fetcher<URL, Data>(offMainThread: false) { _ in throw CacheError.notFound } <*> .utf8)
      .pooled()
    return cache.plan
  }()
}
