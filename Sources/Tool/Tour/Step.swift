import Foundation
import Strata

/// One step of the tour: what is done, and what the laws say about it.
struct Step: Sendable {
  let title: String
  /// The level that has to answer, or nobody.
  let answerer: Stage?
  /// How many requests the origin has to see.
  let requests: Int
  /// What has to be so before: neither timed nor counted.
  var prepare: @Sendable (Scene) async throws -> Void = { _ in }
  /// What is done. Returns a remark, if there is something worth seeing; throws for a broken law.
  let act: @Sendable (Scene) async throws -> String?

  /// What has become of a step.
  struct Report: Sendable {
    let answerer: Stage?
    let requests: Int
    let duration: Duration
    var remark: String?
    /// What is not as it should be.
    var faults: [String]
  }

  /// Does the step and compares what happened with what the laws say.
  ///
  /// Whatever is thrown is a fault of the step, and so is an answer that does not come.
  func run(in scene: Scene) async -> Report {
    var (faults, remark): ([String], String?) = ([], nil)
    do { try await limited { try await prepare(scene) } } catch {
      faults.append("not prepared: \(error)")
    }
    scene.watch.reset()
    let before = scene.origin.requests
    let start = ContinuousClock.now
    do { remark = try await limited { try await act(scene) } } catch { faults.append("\(error)") }
    let duration = start.duration(to: .now)

    let (actual, seen) = (scene.watch.answerer, scene.origin.requests - before)
    if actual != answerer {
      faults.append("answered by \(actual.name) instead of \(answerer.name)")
    }
    if seen != requests { faults.append("the origin saw \(seen) requests instead of \(requests)") }
    do { try await scene.watch.filled(answerer?.above ?? []) } catch {
      faults.append("the levels above were not filled: \(error)")
    }
    return Report(
      answerer: actual, requests: seen, duration: duration, remark: remark, faults: faults)
  }

  private func limited<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await Promise(work).timeout(after: .seconds(10)).value
  }
}

extension Stage? {
  /// The stage as the table calls it.
  var name: String { self?.rawValue ?? "nobody" }
}
