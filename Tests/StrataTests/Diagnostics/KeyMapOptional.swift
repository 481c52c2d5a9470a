// says: write a codec after it
import Foundation
import Strata

let pages: Cache<String, Data> = .memory() + { URL(string: $0) } <^> .network()
