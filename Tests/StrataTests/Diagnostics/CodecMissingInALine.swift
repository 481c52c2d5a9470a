// says: write a key map before it and a codec after it
import Foundation
import Strata

struct Article: Codable, Sendable { var title: String }

let articles: Cache<URL, Article> = .levels {
  .memory()
  \.absoluteString <^> .disk("d1") <*> .json()
  ({ "v1/" + $0.absoluteString } <^> .disk("d2") <*> .json())
  \.absoluteString <^> .disk("d3") <*> .json()
  \.absoluteString <^> .disk("d4") <*> .json()
  \.absoluteString <^> .disk("d5")
  ({ "v2/" + $0.absoluteString } <^> .disk("d6") <*> .json())
  \.absoluteString <^> .disk("d7") <*> .json()
  \.absoluteString <^> .disk("d8") <*> .json()
  \.absoluteString <^> .disk("d9") <*> .json()
  \.absoluteString <^> .disk("d10") <*> .json()
  (.network() <*> .json()).pooled()
}
