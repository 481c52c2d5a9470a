import Foundation
import Strata

/// A step of the tour: an action and its expected behavior.
struct TourStep: Sendable {
  let title: String
  /// The level that should return the value, or `nil` if no level should return one.
  let answerer: Stage?
  /// The expected number of requests to the origin.
  let requests: Int
  /// The preparation of the step, whose duration and requests aren't reported.
  var prepare: @Sendable (Scene) async throws -> Void = { _ in }
  /// A closure that performs the action, and returns an optional remark. It throws an error if an
  /// expectation isn't met.
  let act: @Sendable (Scene) async throws -> String?
  /// The work after the action. Its requests are reported, but not its duration.
  var finish: @Sendable (Scene) async throws -> Void = { _ in }

  /// The result of a step.
  struct Report: Sendable {
    var answerer: Stage?
    var requests: Int
    var duration: Duration
    var remark: String?
    /// The violated expectations.
    var faults: [String]
  }

  /// Runs the step and compares its behavior with the expectations.
  ///
  /// Errors and timeouts are listed as faults of the step.
  func run(in scene: Scene) async -> Report {
    var report = Report(answerer: nil, requests: 0, duration: .zero, remark: nil, faults: [])
    do {
      try await limited { try await prepare(scene) }
    } catch {
      report.faults.append("preparation failed: \(error)")
    }
    scene.events.reset()
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
    report.answerer = scene.events.answerer
    report.requests = scene.origin.requests - requests
  }

  private func faults(of report: Report, in scene: Scene) async -> [String] {
    var faults: [String] = []
    if report.answerer != answerer {
      faults.append("answered by \(report.answerer.name) instead of \(answerer.name)")
    }
    if report.requests != requests {
      faults.append("the origin received \(report.requests) instead of \(requests) requests")
    }
    guard faults.isEmpty, report.faults.isEmpty else { return faults }
    do {
      try await scene.events.filled(answerer?.above ?? [])
    } catch {
      faults.append("the levels above weren't filled: \(error)")
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
  /// The name of the stage in the table, or `none` if there is no stage.
  var name: String { self?.rawValue ?? "none" }
}
