// says: the levels of a cache that expires store Stamped values
import Foundation
import Strata

let texts: Cache<URL, String> = .memory()
let hourly = texts.expiring(after: .seconds(3600))
