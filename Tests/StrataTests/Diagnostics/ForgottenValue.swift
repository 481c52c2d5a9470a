// says: no 'async' operations occur within 'await' expression
import Strata

func store(_ cache: Cache<String, Int>) async throws {
  try await cache.set("one", 1)
}
