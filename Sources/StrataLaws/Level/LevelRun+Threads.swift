import Foundation
import StrataVerbs

extension LevelRun {
  /// Runs each client on a separate thread. It waits until each of its steps has settled, and
  /// pauses before some of them.
  ///
  /// The clients don't share a lock, because it would keep their operations from overlapping in the
  /// level.
  func onThreads(_ steps: [Step], pace: UInt64) -> LawObservation {
    let clients = Dictionary(grouping: steps.indices) { steps[$0].client }
      .sorted { $0.key < $1.key }
    let logs = clients.map { _ in Lock<[LawObservation.Operation]>([]) }
    Interruption.begin(clients.count)
    WorkerThreads.shared.run(
      zip(clients, logs).map { client, log in
        {
          var operations: [LawObservation.Operation] = []
          operations.reserveCapacity(client.value.count)
          let pace = pace &+ UInt64(client.key)
          self.tempo.run(steps: client.value.count, pace: pace) { pauses in
            for number in client.value {
              pauses.pause()
              operations.append(self.record(number, steps[number]))
              Interruption.step()
            }
          }
          log.withLock { [operations] in $0 = operations }
        }
      })
    return LawObservation(
      operations: logs.flatMap { log in log.withLock { $0 } }.sorted { $0.began < $1.began })
  }

  /// Performs a step, and waits until the step has settled.
  func record(_ number: Int, _ step: Step) -> LawObservation.Operation {
    let cache = caches[step.client % caches.count]
    let began = ticker.now()
    let (answer, settled) =
      switch step.action {
      case .get(let key): settle(cache.get(key))
      case .set(let key, let value): settle(cache.set(key, value))
      case .remove(let key): settle(cache.remove(key))
      case .clear: settle(cache.clear())
      case .warn: settle(Promise(cache.memoryWarning()))
      default: (LawObservation.Answer.done, ticker.now() as Int?)
      }
    tally.note(step.action, answer)
    return LawObservation.Operation(
      step: number + 1, client: step.client, action: step.action, began: began, settled: settled,
      answer: answer, settlements: 1)
  }

  private func settle<Value>(_ promise: Promise<Value>) -> (LawObservation.Answer, Int?) {
    if let outcome = promise.outcome { return (LawObservation.Answer(outcome), ticker.now()) }
    let settled = Lock<Int?>(nil)
    let told = Promise<Void> { continuation in
      _ = promise.observed { [ticker] _ in
        let now = ticker.now()
        settled.withLock { $0 = now }
        continuation.succeed()
      }
    }
    patience.wait(for: told)
    return (promise.outcome.map { LawObservation.Answer($0) } ?? .none, settled.withLock { $0 })
  }
}
