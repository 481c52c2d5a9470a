// says: takes a Codec, which maps both ways
import Foundation
import Strata

let lengths: Cache<URL, Int> = .memory() + \.absoluteString <^> .disk("lengths") <*> { $0.count }
