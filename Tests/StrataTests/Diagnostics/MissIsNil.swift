// says: a miss is not nil: throw CacheError.notFound
import Strata

let shelf = ["one": 1]

// A miss is an error, because `nil` can be a value.
let cache: Cache<String, Int> = Cache(get: { key in shelf[key] }, set: { _, _ in })
