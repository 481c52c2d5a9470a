// says: the levels of a sum have the same keys and values
import Strata

let numbers: Cache<String, Int> = .memory()
let texts: Cache<String, String> = .memory()
let sum = numbers + texts
