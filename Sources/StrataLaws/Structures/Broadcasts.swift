import StrataVerbs

extension Laws {
  /// A function that returns a broadcasting cache, and a function that streams the changes of a
  /// key.
  public typealias Broadcast =
    @Sendable (Cache<Int, Int>) -> (
      cache: Cache<Int, Int>, changes: @Sendable (Int) -> AsyncStream<CacheChange<Int>>
    )

  /// The laws of `broadcasting()`: each listener receives every change once, in the order of the
  /// writes.
  public static var broadcasts: Laws {
    broadcasts { level in
      let (cache, changes) = level.broadcasting()
      return (cache, { changes.stream(for: $0, bufferingNewest: 64) })
    }
  }

  /// Returns laws that check your own implementation of `broadcasting()`.
  public static func broadcasts(_ broadcast: @escaping Broadcast) -> Laws {
    let domain = LawDomain().with {
      $0.levels = 1
      $0.injectsFaults = false
      $0.hasDistinctValues = true
      $0.cancels = false
    }
    func law(
      _ name: String, _ statement: String, _ sentence: String,
      _ judge:
        @escaping @Sendable (
          _ key: Int, _ told: [CacheChange<Int>], _ seen: LawObservation
        ) -> String?
    ) -> Law {
      Law(name, statement, sentence, draw: { Program.random(domain, using: &$0) }) { program in
        let streams = Lock<[Int: AsyncStream<CacheChange<Int>>]>([:])
        let seen = Run(program) { levels in
          let (cache, changes) = broadcast(levels[0])
          for key in domain.keys { streams.withLock { $0[key] = changes(key) } }
          return cache
        }.virtually()
        var violations = Violations()
        for (key, stream) in streams.withLock({ $0 }) {
          if let lawful = judge(key, buffered(stream), seen) { violations.rest(0, lawful) }
        }
        return violations.evidence(seen)
      }
    }
    return Laws(
      "broadcasts",
      [
        law(
          "broadcasts.completeness", "each successful write is reported once, and nothing else is",
          "Each listener of a key receives every change of that key exactly once."
        ) { key, told, seen in
          let made = seen.operations.filter { $0.action.writes(key) && $0.answer == .done }
          let wanted = made.map { $0.action.change.text }.sorted()
          guard told.map(\.text).sorted() != wanted else { return nil }
          return "reported of \(key): \(wanted), and not \(told.map(\.text))"
        },
        law(
          "broadcasts.order", "the last reported change of k == the value under k",
          "Listeners receive changes in the order of the writes."
        ) { key, told, seen in
          guard let last = told.last, last.value != seen.rest[0].contents[key] else { return nil }
          return "last reported of \(key): \(last.text)"
        },
        Law(
          "broadcasts.sequence", "a.broadcasting().cache == a, one operation at a time",
          "If operations don't overlap, broadcasting has no effect on answers.",
          in: LawDomain().with { $0.isSequential = true }, equality: .answers
        ) {
          broadcast($0[0] + $0[1]).cache
        } is: {
          $0[0] + $0[1]
        },
      ].map(\.waiting))
  }
}

extension Step.Action {
  /// The change that a write reports to listeners.
  fileprivate var change: CacheChange<Int> {
    guard case .set(_, let value) = self else { return .removed }
    return .stored(value)
  }
}

extension CacheChange<Int> {
  fileprivate var text: String { value.map { "\($0)" } ?? "removed" }
}

/// Returns the buffered elements of a stream. It cancels the task that reads the stream, which
/// therefore ends after these elements.
private func buffered(_ stream: AsyncStream<CacheChange<Int>>) -> [CacheChange<Int>] {
  let all = Promise<[CacheChange<Int>]> { () async -> [CacheChange<Int>] in
    withUnsafeCurrentTask { $0?.cancel() }
    var all: [CacheChange<Int>] = []
    for await change in stream { all.append(change) }
    return all
  }
  return settled(all)?.value ?? []
}
