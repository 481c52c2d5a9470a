// says: ambiguous operator declarations found for operator
import Foundation
import Functors
import Strata

let pages: Cache<URL, Data> = .memory() + \.absoluteString <^> .disk("pages")
