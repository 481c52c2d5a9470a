// says: write try await promise.value
import Strata

func read(_ cache: Cache<String, Int>) async throws -> Int {
  try cache.get("answer").wait()
}
