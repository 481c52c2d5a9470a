// says: a miss is not nil: throw CacheError.notFound
import Strata

let shelf = ["one": 1]

let cache: Cache<String, Int> = .memory() + Fetcher { key in shelf[key] }
