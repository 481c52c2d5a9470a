// says: static method 'stamped' requires the types 'Article' and 'Stamped<Plain>' be equivalent
import Foundation
import Strata

struct Article: Codable, Sendable { var title: String }

let articles: Cache<String, Article> = .disk("articles") <*> .stamped(.json())
