// says: write a codec after it
import Foundation
import Strata

struct Article: Codable, Sendable { var title: String }

let articles: Cache<URL, Article> = .memory() + .network()
