import StrataVerbs

/// A prefetcher whose laws are checked.
public struct Prefetching: Sendable {
  /// Replaces the wanted keys.
  public var want: @Sendable ([Int]) -> Void
  /// Pauses the prefetcher, so it begins no prefetch, or lets it continue.
  public var pause: @Sendable (Bool) -> Void

  /// Creates a prefetcher from its functions. Both must begin the gets that they cause before they
  /// return.
  ///
  /// - Parameters:
  ///   - want: Replaces the wanted keys.
  ///   - pause: Pauses the prefetcher, so it begins no prefetch, or lets it continue.
  public init(
    want: @escaping @Sendable ([Int]) -> Void, pause: @escaping @Sendable (Bool) -> Void
  ) {
    (self.want, self.pause) = (want, pause)
  }

  /// Returns Strata's prefetcher.
  ///
  /// - Parameters:
  ///   - cache: The cache whose levels are filled.
  ///   - count: The maximum number of concurrent prefetches.
  public static func prefetcher(_ cache: Cache<Int, Int>, _ count: Int) -> Prefetching {
    let prefetcher = Prefetcher(cache, concurrentGets: count) { $0() }
    return Prefetching(want: { prefetcher.want($0) }) {
      $0 ? prefetcher.pause() : prefetcher.resume()
    }
  }
}

extension Laws {
  /// The laws of `Prefetcher`.
  public static var prefetch: Laws { prefetch(Prefetching.prefetcher) }

  /// Returns laws that check your own prefetcher.
  ///
  /// - Parameter make: Returns a prefetcher for a cache, with a maximum number of concurrent prefetches.
  public static func prefetch(
    _ make: @escaping @Sendable (_ cache: Cache<Int, Int>, _ count: Int) -> Prefetching
  ) -> Laws {
    func law(
      _ name: String, _ statement: String, _ sentence: String, _ fault: PrefetchRun.Fault
    ) -> Law {
      Law("prefetch.\(name)", statement, sentence, draw: { PrefetchProgram(&$0) }) {
        LawEvidence(
          $0.run(make).map { fact in (fact.text, fact.fault == fault ? fact.lawful : nil) })
      }
    }
    return Laws(
      "prefetch",
      [
        law(
          "gets", "want(s) || get k == get k",
          "A get returns what it returns without a prefetcher.", .answer),
        law(
          "cancelling", "want(s); want(t) cancels s \\ t",
          "A load runs only while its key is wanted or a get waits for it.", .unwanted),
        law(
          "once", "want(s); want(t): one load of k in s and t",
          "A key that remains wanted is loaded once.", .again),
        law(
          "bound", "prefetches in flight <= 2",
          "At most as many keys are prefetched at the same time as the limit allows.", .crowd),
        law(
          "progress", "want(s): every k in s is loaded",
          "Every wanted key is loaded in the end.", .absent),
        law(
          "pause", "pause: no load begins",
          "Until the prefetcher continues, only gets begin loads.", .paused),
      ])
  }
}

/// Gets of a cache above a slow origin, with a prefetcher that may prefetch two keys at the same time.
struct PrefetchProgram: Trial {
  enum Step: Equatable, Sendable {
    case want([Int])
    case get(Int)
    /// The get at this position is cancelled.
    case cancel(Int)
    /// The running load at this position ends.
    case end(Int)
    case pause(Bool)
  }

  var steps: [Step]

  init(_ random: inout SeededGenerator) {
    steps = (0..<Int.random(in: 3...20, using: &random)).map { _ in
      let number = Int.random(in: 0..<3, using: &random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<4:
        let (first, count) = (number, Int.random(in: 0...4, using: &random))
        return .want((first..<first + count).shuffled(using: &random))
      case 4..<6: return .get(.random(in: 0..<6, using: &random))
      case 6: return .cancel(number)
      case 7: return .pause(Bool.random(using: &random))
      default: return .end(number)
      }
    }
  }

  var simpler: [PrefetchProgram] {
    steps.indices.flatMap { index -> [PrefetchProgram] in
      var without = self
      without.steps.remove(at: index)
      guard case .want(let keys) = steps[index], !keys.isEmpty else { return [without] }
      var fewer = self
      fewer.steps[index] = .want(keys.dropLast())
      return [without, fewer]
    }
  }

  var size: Int { steps.count }
  var lines: [String] { steps.map { "\($0)" } }

  func run(
    _ make: @Sendable (Cache<Int, Int>, Int) -> Prefetching
  ) -> [PrefetchRun.Fact] {
    let run = PrefetchRun(make)
    for step in steps { run.take(step) }
    return run.end()
  }
}
