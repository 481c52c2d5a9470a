import Foundation
import Strata

let pages: Cache<URL, String> =
  .memory() + \.absoluteString <^> .disk("near") <*> .utf8 + \.path <^> .disk("far") <*> .utf8
  + .memory(capacity: 10) + .network() <*> .utf8
