// says: the levels of a sum have the same keys and values
import Foundation
import Strata

let byURL: Cache<URL, Data> = .memory()
let sum = byURL + Cache<String, Data>.disk("pages")
