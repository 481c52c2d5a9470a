// says: has no member 'disk'
import Foundation
import Strata

struct Article: Codable, Sendable { var title: String }

let articles: Cache<URL, Article> =
  .memory() + (.disk("articles") <^> \.absoluteString <*> .json()).pooled()
