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
  /// What is waited for when the answer is there: not timed, but its requests are counted.
  var finish: @Sendable (Scene) async throws -> Void = { _ in }

  /// What has become of a step.
  struct Report: Sendable {
    var answerer: Stage?
    var requests: Int
    var duration: Duration
    var remark: String?
    /// What is not as it should be.
    var faults: [String]
  }

  /// Does the step and compares what happened with what the laws say.
  ///
  /// Whatever is thrown is a fault of the step, and so is an answer that does not come.
  func run(in scene: Scene) async -> Report {
    var report = Report(answerer: nil, requests: 0, duration: .zero, remark: nil, faults: [])
    do {
      try await limited { try await prepare(scene) }
    } catch {
      report.faults.append("not prepared: \(error)")
    }
    scene.watch.reset()
    await act(in: scene, &report)
    report.faults += await faults(of: report, in: scene)
    return report
  }

  private func act(in scene: Scene, _ report: inout Report) async {
    let (requests, start) = (scene.origin.requests, ContinuousClock.now)
    do {
      report.remark = try await limited { try await act(scene) }
      report.duration = start.duration(to: .now)
      try await limited { try await finish(scene) }
    } catch {
      report.faults.append("\(error)")
    }
    report.answerer = scene.watch.answerer
    report.requests = scene.origin.requests - requests
  }

  private func faults(of report: Report, in scene: Scene) async -> [String] {
    var faults: [String] = []
    if report.answerer != answerer {
      faults.append("answered by \(report.answerer.name) instead of \(answerer.name)")
    }
    if report.requests != requests {
      faults.append("requests seen by the origin: \(report.requests) instead of \(requests)")
    }
    guard faults.isEmpty, report.faults.isEmpty else { return faults }
    do {
      try await scene.watch.filled(answerer?.above ?? [])
    } catch {
      faults.append("the levels above were not filled: \(error)")
    }
    return faults
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
