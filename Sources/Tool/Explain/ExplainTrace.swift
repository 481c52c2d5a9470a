import Foundation
import Strata
import StrataExplain

/// Traces of three `get` calls of one page, on the tour's pipeline with a local origin. First, a
/// get loads the page from the origin. Then the other gets find the page in a level.
enum ExplainTrace {
  /// Prints the traces. With `svg`, it prints nothing, and writes a drawing of the first trace to
  /// that file.
  static func run(svg: OutputFile?, on console: Console) async throws {
    setenv("no_proxy", "127.0.0.1", 1)  // An HTTP proxy can't reach the local origin.
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
      try console.print("\(title):".colored(.bold, if: console.isColored))
      try console.print(trace.table + "\n")
    }
  }
}
