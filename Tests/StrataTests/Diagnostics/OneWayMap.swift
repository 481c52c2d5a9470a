// says: that does not accept a closure
import Foundation
import Strata

let lengths: Cache<URL, Int> = .memory() + \.absoluteString <^> .disk("lengths") <*> { $0.count }
