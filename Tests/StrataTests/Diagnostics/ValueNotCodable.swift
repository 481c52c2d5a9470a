// says: the value is not Codable
import Foundation
import Strata

struct Article: Sendable { var title: String }

let articles: Cache<URL, Article> =
  .memory() + \.absoluteString <^> .disk("articles") <*> .json() + .network() <*> .json()
