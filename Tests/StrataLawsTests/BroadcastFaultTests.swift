import Strata
import StrataLaws

/// What broadcasts get wrong.
final class BroadcastFaultTests: FaultCase {
  private typealias Change = CacheChange<Int>

  /// Tells as writes are answered, in whatever order, and of clears or not.
  private func naive(_ name: String, tellsOfClears: Bool = true) -> Laws {
    let laws = Laws.broadcasts { level in
      let streams = Box<[(Int, AsyncStream<Change>.Continuation)]>([])
      let tell: @Sendable (Int?, Change) -> Void = { key, change in
        for (other, listener) in streams.value where key == nil || key == other {
          listener.yield(change)
        }
      }
      let telling: @Sendable (Int?, Change, Promise<Void>) -> Promise<Void> = {
        key, change, write in
        write.observed { if case .success = $0 { tell(key, change) } }
      }
      let cache = Cache<Int, Int>(
        get: level.get, set: { key, value in telling(key, .stored(value), level.set(key, value)) },
        remove: { key in telling(key, .removed, level.remove(key)) },
        clear: { tellsOfClears ? telling(nil, .removed, level.clear()) : level.clear() },
        memoryWarning: level.memoryWarning)
      return (
        cache,
        { key in
          let (stream, listener) = AsyncStream<Change>.makeStream()
          streams.update { $0.append((key, listener)) }
          return stream
        }
      )
    }.laws
    return Laws("broadcasts", laws.filter { $0.name == name })
  }

  func testChangesThatAreToldAsTheyAreAnswered() {
    expectCaught("unordered", by: naive("broadcasts.order"))
  }

  func testAClearThatIsNotTold() {
    expectCaught("silentClear", by: naive("broadcasts.completeness", tellsOfClears: false))
  }
}
