// says: a key map returns a key and not an optional
import Foundation
import Strata

let pages: Cache<String, Data> = .memory() + { URL(string: $0) } <^> .network()
