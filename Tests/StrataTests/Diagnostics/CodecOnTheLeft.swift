// says: to expected argument type 'Codec<
import Foundation
import Strata

let bytes: Cache<String, Data> = .disk("texts")
let texts: Cache<String, String> = .utf8 <*> bytes
