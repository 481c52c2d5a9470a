import Foundation
import Functors
import Strata

infix operator <^> : KeyMapPrecedence

let pages: Cache<URL, Data> = .memory() + \.absoluteString <^> .disk("pages")
let doubled = { (number: Int) in 2 * number } <^> [1, 2, 3]
