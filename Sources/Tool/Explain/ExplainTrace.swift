import Foundation
import Strata

/// Gets of the tour's pipeline, traced over an origin of its own: cold, and then warm.
enum ExplainTrace {
  /// Where pictures are asked for, that of the cold get is written, and nothing else.
  static func run(svg: OutputFile?, on console: Console) async throws {
    setenv("no_proxy", "127.0.0.1", 1)  // A proxy cannot reach the origin of this process.
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let origin = try Origin(serving: Pages.ofProject())
    defer { origin.stop() }
    let recorder = Recorder()
    let cache = Pipeline(in: directory.url, recorder: recorder).cache
    let page = origin.url("/README.md")

    let cold = try await recorder.trace { cache.get(page) }.value.trace
    if let svg { return try svg.write(cold.svg) }
    cache.memoryWarning()
    let second = try await recorder.trace { cache.get(page) }.value.trace
    let third = try await recorder.trace { cache.get(page) }.value.trace
    for (title, trace) in [
      ("cold", cold), ("after a memory warning", second), ("and again", third),
    ] {
      try console.print("\(title):".coloured(.bold, if: console.isColoured))
      try console.print("\(trace)\n")
    }
  }
}
