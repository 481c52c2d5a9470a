// says: only Data, String, and [UInt8] have bytes
import Foundation
import Strata

struct Article: Codable, Sendable { var title: String }

let articles: Cache<URL, Article> = .memory(cost: .bytes) + .network() <*> .json()
