import Foundation
import Strata

struct Article: Codable, Sendable { var title: String }

let articles: Cache<URL, Article> =
  .memory() + (\.absoluteString <^> .disk("articles") <*> .json() + .network() <*> .json()).pooled()
