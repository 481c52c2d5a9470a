// says: only Data, String, and [UInt8] have bytes
import Foundation
import Strata

struct Article: Codable, Sendable { var title: String }

let articles: Cache<URL, Article> = .memory(capacity: .bytes(1 << 20)) + .network() <*> .json()
