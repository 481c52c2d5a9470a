import Foundation
import Strata

struct Article: Codable, Sendable { var title: String }

let articles: Cache<URL, Article> =
  (.memory() + \.absoluteString <^> .disk("articles") <*> .stamped(.json()))
  .expiring(after: .seconds(3600)) + (.network() <*> .json()).pooled()
