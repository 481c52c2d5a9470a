// says: static method 'stamped' requires the types 'Data' and 'Stamped<Data>' be equivalent
import Foundation
import Strata

struct Article: Codable, Sendable { var title: String }

let disk: Cache<String, Data> = .disk("articles")
let articles: Cache<String, Stamped<Article>> = disk <*> .stamped(.json())
