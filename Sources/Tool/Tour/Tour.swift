import Foundation
import Strata

/// The main job, shown: three real levels in one expression, and what the laws promise of them.
enum Tour {
  /// The steps, in their order; each begins where the one before has ended.
  static let steps =
    Step.layers + Step.sharing + Step.healing + Step.ages + Step.absence + Step.outage

  /// Goes through all steps and tells, by the status, whether every one went right.
  static func run(_ steps: [Step] = steps, on console: Console) async throws -> ExitStatus {
    setenv("no_proxy", "127.0.0.1", 1)  // A proxy cannot reach the origin of this process.
    let pages = Pages.ofProject()
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let origin = try Origin(serving: pages)
    defer { origin.stop() }
    let scene = Scene(origin: origin, pages: pages, directory: directory.url)
    return try await run(steps, in: scene, on: console)
  }

  private static func run(
    _ steps: [Step], in scene: Scene, on console: Console
  ) async throws -> ExitStatus {
    let view = TourView(steps: steps, isColoured: console.isColoured)
    let start = ContinuousClock.now
    try console.print(view.title(plan: Pipeline(in: scene.directory).cache.plan, of: scene.origin))
    var failures = 0
    for (index, step) in steps.enumerated() {
      let report = await step.run(in: scene)
      if !report.faults.isEmpty { failures += 1 }
      try console.print(view.lines(of: step, at: index, report))
    }
    let duration = start.duration(to: .now)
    try console.print(view.end(failures, of: scene.origin, after: duration))
    return failures == 0 ? .success : .failure
  }
}
