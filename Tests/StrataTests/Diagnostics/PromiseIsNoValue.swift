// says: cannot convert value of type 'Promise<Int>' to specified type 'Int'
import Strata

func read(_ cache: Cache<String, Int>) async throws -> Int {
  let answer: Int = try await cache.get("answer")
  return answer
}
