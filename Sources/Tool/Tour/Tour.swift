import Foundation
import Strata

/// A demonstration of the library with three real levels in one expression.
enum Tour {
  /// The steps in order. Every step continues from the state that the previous step left.
  static let steps =
    TourStep.layers + TourStep.sharing + TourStep.healing + TourStep.ages + TourStep.absence
    + TourStep.outage

  /// Runs all steps and returns the exit status.
  ///
  /// - Parameter html: The file for a page about the pipeline, or `nil` for none.
  static func run(
    _ steps: [TourStep] = steps, on console: Console, html: OutputFile? = nil
  ) async throws -> ExitStatus {
    try html?.check()
    setenv("no_proxy", "127.0.0.1", 1)  // An HTTP proxy can't reach the local origin.
    let pages = Pages.ofProject()
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let origin = try Origin(serving: pages)
    defer { origin.stop() }
    let scene = Scene(origin: origin, pages: pages, directory: directory.url)
    let status = LiveStatus(
      of: scene.cache.plan, title: "The tour of Strata", statistics: scene.statistics
    ) { scene.cache.gauges }
    status.note()
    let end = try await run(steps, in: scene, on: console, status)
    try html?.write(status.page(reloads: false).html)
    return end
  }

  private static func run(
    _ steps: [TourStep], in scene: Scene, on console: Console, _ status: LiveStatus
  ) async throws -> ExitStatus {
    let view = TourView(steps: steps, isColored: console.isColored)
    let start = ContinuousClock.now
    try console.print(view.title(plan: Pipeline(in: scene.directory).cache.plan, of: scene.origin))
    var failures = 0
    for (index, step) in steps.enumerated() {
      let report = await step.run(in: scene)
      if !report.faults.isEmpty { failures += 1 }
      try console.print(view.lines(of: step, at: index, report))
      status.note()
    }
    let duration = start.duration(to: .now)
    try console.print(view.end(failures, of: scene.origin, after: duration))
    return failures == 0 ? .success : .failure
  }
}
