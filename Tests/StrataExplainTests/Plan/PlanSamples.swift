import Foundation
import StrataExplain

@testable import Strata

extension CachePlan {
  /// The plan of a pipeline like the main example, without a disk or a network.
  static let pages: CachePlan = {
    let cache: Cache<URL, String> =
      .memory()
      + (\.absoluteString <^> Cache<String, Data>.memory(capacity: 9) <*> .utf8
      + Fetcher<URL, Data> { _ in throw CacheError.notFound } <*> .utf8).pooled()
    return cache.plan
  }()
}
