import Foundation
import Strata

let stored: Cache<String, Data> = .memory() + .disk("pages")

let updates: CacheUpdates<URL, String> =
  stored.updating(from: { URL(filePath: $0) } <^> .network())
  .mapKeys(\.absoluteString).mapValues(.utf8)
