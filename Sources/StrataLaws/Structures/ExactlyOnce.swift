import StrataCore

/// An adapter for a promise-like object that must settle only once. The closure `listen` adds a
/// listener, and the closure `settle` settles the promise-like object.
public struct OneShot: Sendable {
  /// Adds a listener, which receives the number that was passed in the first call to `settle`. If
  /// `settle` has already been called, the listener receives the number immediately.
  public let listen: @Sendable (@escaping @Sendable (Int) -> Void) -> Void
  /// Settles the promise-like object, and passes the number to its listeners. Returns `false` if
  /// the object has already settled.
  public let settle: @Sendable (Int) -> Bool

  /// Creates an adapter for a promise-like object. The closure `listen` adds a listener to the
  /// object, and the closure `settle` settles the object.
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
    Laws(
      "exactlyOnce",
      [
        Law(
          "exactlyOnce.inOrder", "listeners are called once, in order",
          "Each listener receives the first answer once, in order of registration.",
          draw: { OneShotTrial(&$0) }, judge: { $0.evidence(make(), onThreads: false) }),
        Law(
          "exactlyOnce.onThreads", "no callback is lost or doubled",
          "Each listener is called once, even if threads listen and settle at the same time.",
          tries: 30, draw: { OneShotTrial(&$0) }, judge: { $0.evidence(make(), onThreads: true) }),
      ])
  }
}

private struct OneShotTrial: Trial {
  enum Step: Equatable, Sendable, CustomStringConvertible {
    case listen
    /// Adds a listener. When this listener is called, it adds another listener.
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
    steps.indices.map { index in
      var trial = self
      trial.steps.remove(at: index)
      return trial
    }
  }

  var size: Int { steps.count }
  var lines: [String] { steps.map(\.description) }

  func evidence(_ shot: OneShot, onThreads: Bool) -> Evidence? {
    let told = Lock<[(listener: Int, number: Int)]>([])
    let kept = Lock<[Int]>([])
    let perform: @Sendable (Int) -> Void = { index in
      switch steps[index] {
      case .settle(let number): if shot.settle(number) { kept.withLock { $0.append(number) } }
      case .listen: shot.listen { number in told.withLock { $0.append((index, number)) } }
      case .listenTwice:
        shot.listen { number in
          told.withLock { $0.append((index, number)) }
          shot.listen { number in told.withLock { $0.append((index + 100, number)) } }
        }
      }
    }
    if onThreads {
      WorkerThreads.shared.run(
        (0..<2).map { half in
          { for index in steps.indices where index % 2 == half { perform(index) } }
        })
    } else {
      for index in steps.indices { perform(index) }
    }
    if shot.settle(-1) { kept.withLock { $0.append(-1) } }
    return evidence(told.withLock { $0 }, kept.withLock { $0 }, inOrder: !onThreads)
  }

  private func evidence(
    _ told: [(listener: Int, number: Int)], _ kept: [Int], inOrder: Bool
  ) -> Evidence? {
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
    return seen == lawful ? nil : Evidence(left: ("seen", seen), right: ("lawful", lawful))
  }
}
