import Strata

let origin = Fetcher<Int, String> { number in
  print("the origin loads \(number)")
  guard number > 0 else { throw CacheError.notFound }
  return String(repeating: "I", count: number)
}
