// says: a Cache needs both directions
import Foundation
import Strata

let lengths: Cache<URL, Int> = .memory() + \.absoluteString <^> .disk("lengths") <*> { $0.count }
