import Foundation
import StrataVerbs

/// Random operations of several clients on one key. Each write increments the version number, which
/// a `set` stores as the value.
struct SharedTrial: Trial {
  enum Step: Sendable {
    case get, endLoad(Int), set, remove, clear
  }

  var steps: [(client: Int, step: Step)]

  /// - Parameter loads: Whether a get can load a value from an origin. Then some steps settle loads
  ///   in flight.
  init(_ random: inout SeededGenerator, loads: Bool) {
    steps = (0..<Int.random(in: 3...10, using: &random)).map { _ in
      let step: Step =
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: .get
        case 2, 3: loads ? .endLoad(Int.random(in: 0...2, using: &random)) : .get
        case 4: .set
        default: Bool.random(using: &random) ? .remove : .clear
        }
      return (Int.random(in: 0...1, using: &random), step)
    }
    if !loads { steps.insert((0, .set), at: 0) }
  }

  var simpler: [SharedTrial] {
    withoutEach(\.steps)
  }

  var size: Int { steps.count }
  var lines: [String] { steps.map { "client \($0.client): \($0.step)" } }

  var isLoading: Bool {
    steps.contains { if case .endLoad = $0.step { true } else { false } }
  }
}

/// A run of a trial. Its initializer returns after every operation has settled.
final class SharedRun: Sendable {
  private struct State {
    var version = 0
    var loads: [(version: Int, continuation: Promise<Data>.Continuation)] = []
  }

  private let state = Lock(State())
  private let patience: Patience

  init(_ trial: SharedTrial, _ clients: [Cache<String, Data>], _ patience: Patience) {
    self.patience = patience
    let origin = Fetcher<String, Data> { _ in
      Promise { continuation in
        self.state.withLock { $0.loads.append(($0.version, continuation)) }
      }
    }
    let services = trial.isLoading ? clients.map { $0 + origin } : clients
    var gets: [Promise<Data>] = []
    for (client, step) in trial.steps {
      let service = services[client % services.count]
      switch step {
      case .get:
        gets.append(service.get("k"))
        waitForLoad(of: gets[gets.count - 1], trial.isLoading)
      case .endLoad(let index): endLoad(index)
      case .set: patience.wait(for: service.set("k", Data("\(change())".utf8)))
      case .remove:
        _ = change()
        patience.wait(for: service.remove("k"))
      case .clear:
        _ = change()
        patience.wait(for: service.clear())
      }
    }
    while state.withLock({ !$0.loads.isEmpty }) { endLoad(0) }
    for get in gets { patience.wait(for: get) }
  }

  private func change() -> Int {
    state.withLock { state in
      state.version += 1
      return state.version
    }
  }

  /// Waits until a get has called the origin or has settled.
  private func waitForLoad(of get: Promise<Data>, _ isLoading: Bool) {
    guard isLoading else { return patience.wait(for: get) }
    let before = state.withLock { $0.loads.count }
    for _ in 0..<2_000 where get.outcome == nil && state.withLock({ $0.loads.count }) == before {
      patience.beat()
      // When an earlier load is in flight, the get may share it without calling the origin. So this
      // call to `beat()` must be enough.
      if before > 0 { return }
    }
  }

  private func endLoad(_ index: Int) {
    let load = state.withLock { state in
      state.loads.isEmpty ? nil : state.loads.remove(at: index % state.loads.count)
    }
    guard let load else { return }
    load.continuation.succeed(Data("\(load.version)".utf8))
  }

  /// Returns the version that a client reads, or `nil` for a miss.
  func version(_ client: Cache<String, Data>) -> Int? {
    let get = client.get("k")
    patience.wait(for: get)
    return get.outcome?.value.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
  }

  /// Returns evidence if a client has read an outdated version, and `nil` if none has.
  func evidence(_ found: [Int?]) -> LawEvidence? {
    let last = state.withLock { $0.version }
    return LawEvidence(
      found.enumerated().map { client, version in
        let text = "client \(client): " + (version.map { "version \($0)" } ?? "a miss")
        let isOld = version.map { $0 < last } ?? false
        return (text, isOld ? "client \(client): version \(last), or a miss" : nil)
      })
  }
}
