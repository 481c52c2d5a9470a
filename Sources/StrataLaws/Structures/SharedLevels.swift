import Foundation
import StrataVerbs

extension Laws {
  /// Returns the laws of a level that several clients share, such as processes or machines.
  ///
  ///     let directory = FileManager.default.temporaryDirectory
  ///     try await Laws.check(
  ///       .shared {
  ///         let place = UUID().uuidString
  ///         return [.disk(place, in: directory), .disk(place, in: directory)]
  ///       })
  ///
  /// For each key, the level must be regular: once a write of any client has settled, no later get
  /// returns an older value. But to a plain level, the back-fill of a loaded value looks like a
  /// write, so it may replace a newer value. Only a level with leases, such as the Redis level,
  /// prevents that.
  ///
  /// - Parameters:
  ///   - name: The name of the returned group of laws.
  ///   - hasLeases: Whether the level rejects a loaded value if a write has overtaken its load. The
  ///     default is `false`.
  ///   - clients: A closure that returns one cache per client, at least one. They must all use the
  ///     same level, which must be empty. The closure is called for each case.
  public static func shared(
    _ name: String = "shared", hasLeases: Bool = false,
    clients: @escaping @Sendable () -> [Cache<String, Data>]
  ) -> Laws {
    Laws(name, [regular(clients)] + (hasLeases ? [leased(clients)] : []))
  }

  private static func leased(_ clients: @escaping @Sendable () -> [Cache<String, Data>]) -> Law {
    let patience = Patience()
    return Law(
      "shared.laterWriteWins", "get || w by another client; get == w or a miss",
      "If any client writes during a load, the loaded value isn't stored after that write.",
      draw: { SharedTrial(&$0, loads: true) }
    ) { trial in
      let clients = clients()
      guard !clients.isEmpty else { return noClients }
      let run = SharedRun(trial, clients, patience)
      // Reads twice, so the back-fills of the first reads have taken effect before the second.
      let seen = (0..<2).map { _ in clients.map { run.version($0) } }[1]
      return run.evidence(seen)
    }.waiting
  }

  private static var noClients: LawEvidence? {
    LawEvidence([("the closure clients returned no cache", "one cache for each client")])
  }

  private static func regular(_ clients: @escaping @Sendable () -> [Cache<String, Data>]) -> Law {
    let contract = LevelContract<String, Data>(
      keeps: .nothing, isPersistent: true, open: { _ in .dictionary() })
    let probe = LevelProbe(contract, isPlain: true)
    let number = Codec<Data, Int>(
      decode: { Int(String(decoding: $0, as: UTF8.self)) ?? -1 }, encode: { Data("\($0)".utf8) })
    return Law(
      "shared.regularity", "w by a client settled; get by any client isn't older than w",
      "After a client's write has settled, no client's get returns an older value of the key.",
      tries: 20, draw: { LevelSteps.history.trial(probe, &$0) }
    ) { trial in
      let caches = clients().map { { "k\($0.keyNumber)" } <^> $0 <*> number as Cache<Int, Int> }
      guard !caches.isEmpty else { return noClients }
      let run = LevelRun(caches, like: probe)
      var seen = run.onThreads(trial.steps, pace: trial.pace)
      for key in Set(trial.steps.compactMap(\.action.key)).sorted() {
        seen.operations += caches.indices.map {
          run.record(trial.steps.count, Step(.get(key), client: $0))
        }
      }
      return History(seen).evidenceOfAge()
    }.waiting
  }

  /// Returns the law about pipelines that learn of each other's writes. For example, a memory level
  /// can receive reports of other clients' writes to a shared level.
  ///
  /// - Parameters:
  ///   - name: The name of the returned group of laws.
  ///   - bound: The maximum time for which gets may still return the old value after a write has
  ///     ended. For tests on loaded machines, pass several minutes.
  ///   - clients: A closure that returns one empty pipeline per client. It's called for each case.
  public static func following(
    _ name: String = "following", within bound: Duration,
    clients: @escaping @Sendable () -> [Cache<String, Data>]
  ) -> Laws {
    let patience = Patience()
    let law = Law(
      "following.bounded", "w by a client; get == w or a miss, within the bound",
      "When the bound has passed after a write, no get returns the replaced value.",
      draw: { SharedTrial(&$0, loads: false) }
    ) { trial in
      let clients = clients()
      guard !clients.isEmpty else { return noClients }
      let run = SharedRun(trial, clients, patience)
      let end = ContinuousClock.now + bound
      while true {
        let evidence = run.evidence(clients.map { run.version($0) })
        if evidence == nil || ContinuousClock.now > end { return evidence }
        patience.beat()
      }
    }
    return Laws(name, [law.waiting])
  }
}
