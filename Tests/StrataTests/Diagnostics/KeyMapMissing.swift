// says: write a key map before it and a codec after it
import Foundation
import Strata

struct Article: Codable, Sendable { var title: String }

let articles: Cache<URL, Article> =
  .memory() + (.disk("articles") <*> .json() + .network() <*> .json()).pooled()
