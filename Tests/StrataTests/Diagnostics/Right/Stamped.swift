import Foundation
import Strata

struct Article: Codable, Sendable {}

let articles: Cache<URL, Article> =
  (.memory() + \.absoluteString <^> .disk("a") <*> .stamped(.json())).expiring(after: .seconds(60))
  + .network() <*> .json()
