import Strata

let origin = Fetcher<Int, String> { number in
  print("the origin loads \(number)")
  guard number > 0 else { throw CacheError.notFound }
  return String(repeating: "I", count: number)
}

let memory: Cache<Int, String> = .memory(capacity: 100)
let numerals = memory + origin

print(try await numerals.value(for: 3))
print(try await numerals.value(for: 3))

let absent = try await numerals.findValue(for: -1)
print(absent ?? "there is no such numeral")
