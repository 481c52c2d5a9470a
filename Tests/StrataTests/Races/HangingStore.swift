import StrataLaws

@testable import StrataCore
@testable import StrataVerbs

/// A level in which operations on some keys hang forever, hang for some time, or settle late.
final class HangingStore: Sendable {
  private let time: TimeSource
  private let clearHangs: Bool
  private let fails: Bool
  private let queue = KeyedQueue()
  private let contents = Lock<[Int: Int]>([:])
  private let hangs = Lock(false)
  private let random: Lock<SeededGenerator>
  private let forever = Lock<[any Sendable]>([])
  private let clears = Lock(Promise(()))

  init(stream: Int, _ time: TimeSource, clearHangs: Bool, fails: Bool) {
    (self.time, self.clearHangs, self.fails) = (time, clearHangs, fails)
    random = Lock(SeededGenerator(stream: stream + 1_000))
  }

  func begin() { hangs.withLock { $0 = true } }
  func end() { hangs.withLock { $0 = false } }

  /// Calls the closure `effect` with the contents. While the level hangs, this function can delay
  /// the call of `effect`, delay only its result, or never call `effect`.
  private func run<Value: Sendable>(
    _ key: Int?, _ effect: @escaping @Sendable (inout [Int: Int]) -> Promise<Value>
  ) -> Promise<Value> {
    let effect = { @Sendable [contents] in contents.withLock(effect) }
    let mayHang = hangs.withLock { $0 } && (key.map(Storm.hanging.contains) ?? clearHangs)
    guard mayHang else { return later(.milliseconds(1)).flatMap(effect) }
    let (fate, delay) = random.withLock { random in
      (Int.random(in: 0..<8, using: &random), Int.random(in: 0..<20_000, using: &random))
    }
    switch fate {
    case 0: return Promise { continuation in self.forever.withLock { $0.append(continuation) } }
    case 1:
      let answer = effect()
      return later(.milliseconds(delay)).flatMap { answer }
    case 2: return later(.milliseconds(delay)).flatMap(effect)
    case 3 where fails:
      return later(.milliseconds(5_000 + delay)).flatMap { Promise(error: CacheError.abandoned) }
    default: return later(.milliseconds(1)).flatMap(effect)
    }
  }

  /// Runs an operation after the most recent `clear` has settled.
  private func behindClears<Value: Sendable>(
    _ work: @escaping @Sendable () -> Promise<Value>
  ) -> Promise<Value> {
    let clear = clears.withLock { $0 }
    guard clear.outcome == nil else { return work() }
    let end = Pending<Void>()  // A cancelled operation doesn't cancel the `clear`.
    clear.observed { _ in end.settle(.success(())) }
    return end.promise.flatMap(work)
  }

  private func later(_ delay: Duration) -> Promise<Void> {
    Promise(()).delayed(by: delay, clock: time)
  }

  var cache: Cache<Int, Int> {
    let queue = queue
    @Sendable func write(
      _ key: Int, _ effect: @escaping @Sendable (inout [Int: Int]) -> Void
    ) -> Promise<Void> {
      queue.write(KeyVersions.hash(key)) {
        self.run(key) { contents in
          effect(&contents)
          return Promise()
        }
      }
    }
    return Cache(
      get: { key in
        self.behindClears {
          queue.read(KeyVersions.hash(key)) {
            self.run(key) { Promise($0[key], or: CacheError.notFound) }
          }
        }
      },
      set: { key, value in self.behindClears { write(key) { $0[key] = value } } },
      remove: { key in self.behindClears { write(key) { $0[key] = nil } } },
      clear: {  // A `clear` doesn't wait for writes to single keys.
        let clear = self.behindClears {
          self.run(nil) { contents in
            contents = [:]
            return Promise()
          }
        }
        self.clears.withLock { $0 = clear }
        return clear
      }
    ).clocked(by: time)
  }
}
