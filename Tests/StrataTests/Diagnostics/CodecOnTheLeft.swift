// says: values leave to the right
import Foundation
import Strata

let bytes: Cache<String, Data> = .disk("texts")
let texts: Cache<String, String> = .utf8 <*> bytes
