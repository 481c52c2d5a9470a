// says: keys enter from the left
import Foundation
import Strata

struct Article: Codable, Sendable { var title: String }

let articles: Cache<URL, Article> =
  .memory() + (.disk("articles") <^> \.absoluteString <*> .json()).pooled()
