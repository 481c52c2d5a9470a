import Foundation
import Strata

let stored: Cache<String, Data> = .memory() + .disk("pages")

let updates: Updates<URL, String> =
  stored.forwarding(to: { URL(filePath: $0) } <^> .network())
  .mapKeys(\.absoluteString).mapValues(.utf8)
