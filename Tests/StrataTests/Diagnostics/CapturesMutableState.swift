// says: capture of 'counter' with non-Sendable type 'Counter'
import Strata

final class Counter { var count = 0 }

func counting() -> Fetcher<String, Int> {
  let counter = Counter()
  return Fetcher { (key: String) in
    counter.count += 1
    return counter.count
  }
}
