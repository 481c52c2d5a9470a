import StrataLaws

@testable import StrataCore
@testable import StrataVerbs

/// A random program for one promise: the answers that its functions return, and a sequence of
/// actions.
///
/// Two instances with the same number run the same program. To check a law, the tests run one
/// instance for each side of the law's equation.
final class PromiseWorld: Sendable {
  struct Report: Equatable, CustomStringConvertible {
    let outcome: String
    let callbacks: [String]
    let expected: [String]
    let derived: [String]
    let effects: [String]

    var description: String { "\(outcome), callbacks \(callbacks), effects \(effects)" }
  }

  private enum Action: CaseIterable {
    case settle, settleTwice, cancel, listen, listenInside, derive
  }

  private let seed: UInt64
  private let actions: [Action]
  private let effects = Journal<String>()
  private let callbacks = Journal<String>()
  private let derived = Journal<String>()
  private let registered = Journal<Int>()
  private let waiting = Journal<(work: Later<Int>, end: Promise<Int>.Outcome)>()
  private let first = Lock<Promise<Int>?>(nil)

  init(_ number: Int) {
    var random = SeededGenerator(stream: number)
    seed = random.next()
    actions = (0..<Int.random(in: 1...8, using: &random)).map { _ in
      Action.allCases.randomElement(using: &random)!
    }
  }

  /// The first promise of the program, which is ready or pending.
  var source: Promise<Int> {
    if let made = first.withLock({ $0 }) { return made }
    let made = (try? answer("source", 3)) ?? Promise(error: Broken.there)
    first.withLock { $0 = made }
    return made
  }

  func f(_ value: Int) throws -> Promise<Int> { try answer("f", value) }

  func g(_ value: Int) throws -> Promise<Int> { try answer("g", value) }

  func h(_ value: Int) throws -> Int {
    effects.note("h(\(value))")
    if chance("h", value) % 5 == 0 { throw Broken.here }
    return value &* 3 &+ 1
  }

  private func chance(_ name: String, _ value: Int) -> UInt64 {
    let salt = name.utf8.reduce(UInt64(value.magnitude)) { $0 &* 31 &+ UInt64($1) }
    var random = SeededGenerator(stream: Int(truncatingIfNeeded: seed ^ salt &* 0x9E37_79B9))
    return random.next()
  }

  private func answer(_ name: String, _ value: Int) throws -> Promise<Int> {
    effects.note("\(name)(\(value))")
    let chance = chance(name, value)
    let ends: [Promise<Int>.Outcome] = [
      .success(value &* 5 &+ 2), .success(value &+ 9), .failure(Broken.there), .cancelled,
    ]
    let end = ends[Int(chance >> 8 & 3)]
    switch chance % 8 {
    case 0: throw Broken.here
    case 1, 2: return Promise(outcome: end)
    default:
      let work = Later<Int>("\(name)(\(value))", in: effects)
      waiting.note((work, end))
      return work.promise
    }
  }

  /// Runs the program's actions on the promise that `side` returns, and then settles all pending
  /// promises.
  func run(_ side: (PromiseWorld) -> Promise<Int>) -> Report {
    let promise = side(self)
    for action in actions { perform(action, on: promise) }
    listen(to: promise)
    for _ in 0..<20 { perform(.settle, on: promise) }
    let numbers = registered.entries.map { "\($0) \(promise.text)" }
    return Report(
      outcome: promise.text, callbacks: callbacks.entries, expected: numbers,
      derived: derived.entries, effects: effects.entries)
  }

  private func perform(_ action: Action, on promise: Promise<Int>) {
    switch action {
    case .settle, .settleTwice:
      guard let next = takeWaiting() else { return }
      next.work.continuation.settle(next.end)
      if action == .settleTwice { next.work.continuation.succeed(0) }
    case .cancel: promise.cancel()
    case .listen: listen(to: promise)
    case .listenInside: promise.observed { _ in self.listen(to: promise) }
    case .derive: promise.map { $0 }.observed { self.derived.note($0.text) }
    }
  }

  private func listen(to promise: Promise<Int>) {
    let number = registered.count
    registered.note(number)
    if number % 2 == 0 {
      promise.onCompletion { self.callbacks.note("\(number) \($0.text)") }
    } else {
      promise.observed { self.callbacks.note("\(number) \($0.text)") }
    }
  }

  private func takeWaiting() -> (work: Later<Int>, end: Promise<Int>.Outcome)? {
    let all = waiting.drain()
    for later in all.dropFirst() { waiting.note(later) }
    return all.first
  }
}
