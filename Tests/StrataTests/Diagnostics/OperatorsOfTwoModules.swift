// says: ambiguous operator declarations found for operator
import Foundation
import Functors
import StrataCore
import StrataDisk

let pages: Cache<URL, Data> = .memory() + \.absoluteString <^> .disk("pages")
