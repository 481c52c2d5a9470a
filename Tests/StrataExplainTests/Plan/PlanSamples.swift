import Foundation
import StrataExplain

@testable import Strata

extension CachePlan {
  /// The plan of a headline pipeline that needs neither a disk nor a network.
  static let pages: CachePlan = {
    let cache: Cache<URL, String> =
      .memory()
      + (\.absoluteString <^> Cache<String, Data>.memory(capacity: 9) <*> .utf8
      + Fetcher<URL, Data> { _ in throw CacheError.notFound } <*> .utf8).pooled()
    return cache.plan
  }()
}
