import Foundation
import StrataVerbs
import Synchronization

/// An adapter for a promise-like object that must settle only once. The closure `listen` adds a
/// listener, and the closure `settle` settles the object.
public struct OneShot: Sendable {
  /// Adds a listener, which receives the number of the first call to `settle`. When the object has
  /// already settled, the listener receives the number immediately.
  public let listen: @Sendable (@escaping @Sendable (Int) -> Void) -> Void
  /// Settles the object, and passes the number to its listeners. Returns `false` if the object has
  /// already settled.
  public let settle: @Sendable (Int) -> Bool

  /// Creates an adapter for a promise-like object.
  public init(
    listen: @escaping @Sendable (@escaping @Sendable (Int) -> Void) -> Void,
    settle: @escaping @Sendable (Int) -> Bool
  ) {
    self.listen = listen
    self.settle = settle
  }

  /// A promise and its continuation.
  public static var promise: OneShot {
    let kept = Lock<Promise<Int>.Continuation?>(nil)
    let promise = Promise<Int> { continuation in kept.withLock { $0 = continuation } }
    return OneShot(
      listen: { body in promise.onSuccess(body) },
      settle: { number in kept.withLock({ $0 })?.succeed(number) ?? false })
  }
}

extension Laws {
  /// The laws of a promise that settles once and calls each listener once.
  public static var exactlyOnce: Laws { exactlyOnce { .promise } }

  /// Returns laws that check your own promise-like type.
  public static func exactlyOnce(_ make: @escaping @Sendable () -> OneShot) -> Laws {
    let tempo = Tempo()
    return Laws(
      "exactlyOnce",
      [
        Law(
          "exactlyOnce.inOrder", "listeners are called once, in order",
          "Each listener receives the first answer once, in order of registration.",
          draw: { OneShotTrial(&$0) }, judge: { $0.evidence(make()) }),
        Law(
          "exactlyOnce.onThreads", "no callback is lost or doubled",
          "Each listener is called once, even if threads listen and settle at the same time.",
          tries: 30, draw: { OneShotTrial(&$0) },
          judge: { trial in
            trial.evidenceOnThreads(tempo, make)
          }),
      ])
  }
}

private struct OneShotTrial: Trial {
  enum Step: Equatable, Sendable, CustomStringConvertible {
    case listen
    /// Adds a listener that adds another listener when it's called.
    case listenTwice
    case settle(Int)

    var description: String {
      switch self {
      case .listen: "listen"
      case .listenTwice: "listen, and listen again when called"
      case .settle(let number): "settle with \(number)"
      }
    }
  }

  var steps: [Step]

  init(_ random: inout SeededGenerator) {
    steps = (0..<Int.random(in: 1...8, using: &random)).map { number in
      switch Int.random(in: 0..<5, using: &random) {
      case 0: .listenTwice
      case 1, 2: .settle(number)
      default: .listen
      }
    }
  }

  var simpler: [OneShotTrial] {
    withoutEach(\.steps)
  }

  var size: Int { steps.count }
  var lines: [String] { steps.map(\.description) }

  /// Performs the steps on one thread.
  func evidence(_ shot: OneShot) -> LawEvidence? {
    let log = Log()
    for index in steps.indices { perform(index, on: shot, log) }
    return evidence(shot, log, inOrder: true)
  }

  /// Performs the steps on two threads, for many objects in turn. Because a few steps take less
  /// time than the start of a thread, the threads wait for each other at each object. Both may be
  /// interrupted between two instructions.
  func evidenceOnThreads(_ tempo: Tempo, _ make: () -> OneShot) -> LawEvidence? {
    let shots = (0..<24).map { _ in (shot: make(), log: Log()) }
    let arrivals = Arrivals()
    Interruption.begin(2)
    WorkerThreads.shared.run(
      (0..<2).map { half in
        {
          let own = steps.indices.filter { $0 % 2 == half }
          tempo.run(steps: own.count * shots.count, pace: UInt64(steps.count)) { pauses in
            for (number, object) in shots.enumerated() {
              arrivals.arrive(half, at: number)
              for index in own {
                pauses.pause()
                perform(index, on: object.shot, object.log)
              }
              // An interrupted thread waits until the other one has finished some objects.
              Interruption.step()
            }
          }
        }
      })
    for (shot, log) in shots {
      if let evidence = evidence(shot, log, inOrder: false) { return evidence }
    }
    return nil
  }

  /// For each of the two threads, the index of the last object at which it has arrived.
  private final class Arrivals: Sendable {
    private let first = Atomic(0)
    private let second = Atomic(0)

    /// Waits a short time until the other thread has arrived as well.
    func arrive(_ half: Int, at number: Int) {
      if half == 0 {
        first.store(number, ordering: .sequentiallyConsistent)
      } else {
        second.store(number, ordering: .sequentiallyConsistent)
      }
      for turn in 0..<2004 {
        if turn >= 2000 { sched_yield() }
        let other =
          half == 0
          ? second.load(ordering: .sequentiallyConsistent)
          : first.load(ordering: .sequentiallyConsistent)
        if other >= number { return }
      }
    }
  }

  /// The numbers that the listeners of an object have received, and those with which it was
  /// settled.
  private final class Log: Sendable {
    let told = Lock<[(listener: Int, number: Int)]>([])
    let kept = Lock<[Int]>([])
  }

  private func perform(_ index: Int, on shot: OneShot, _ log: Log) {
    switch steps[index] {
    case .settle(let number): if shot.settle(number) { log.kept.withLock { $0.append(number) } }
    case .listen: shot.listen { number in log.told.withLock { $0.append((index, number)) } }
    case .listenTwice:
      shot.listen { number in
        log.told.withLock { $0.append((index, number)) }
        shot.listen { number in log.told.withLock { $0.append((index + 100, number)) } }
      }
    }
  }

  private func evidence(_ shot: OneShot, _ log: Log, inOrder: Bool) -> LawEvidence? {
    if shot.settle(-1) { log.kept.withLock { $0.append(-1) } }
    return evidence(log.told.withLock { $0 }, log.kept.withLock { $0 }, inOrder: inOrder)
  }

  private func evidence(
    _ told: [(listener: Int, number: Int)], _ kept: [Int], inOrder: Bool
  ) -> LawEvidence? {
    let listeners = steps.indices.filter {
      if case .settle = steps[$0] { false } else { true }
    }
    let later = listeners.filter { steps[$0] == .listenTwice }.map { $0 + 100 }
    let number = kept.first ?? -1
    let wanted = (listeners + later).map { "listener \($0) receives \(number)" }.sorted()
    var lawful = ["settled \(1) time"] + wanted
    var seen =
      ["settled \(kept.count) time"] + told.map { "listener \($0) receives \($1)" }.sorted()
    let order = told.map(\.listener).filter { $0 < 100 }
    if inOrder {
      seen.append("in the order \(order)")
      lawful.append("in the order \(listeners)")
    }
    return seen == lawful ? nil : LawEvidence(left: ("seen", seen), right: ("lawful", lawful))
  }
}
