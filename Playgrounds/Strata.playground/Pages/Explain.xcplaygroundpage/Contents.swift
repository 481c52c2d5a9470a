// # Explain
//
// The plan of a pipeline describes the pipeline and gives advice. A trace shows which levels a get
// has read, and why. To run the code on this page, use `swift run page-explain`.

import Foundation
import Strata
import StrataExplain

let origin = Fetcher<URL, Data> { url in Data("the page at \(url.path)".utf8) }
let store: Cache<String, Data> = .memory(capacity: .bytes(100_000_000))
let pages: Cache<URL, String> =
  .memory(capacity: 100).named("memory")
  + ((\.absoluteString <^> store <*> .utf8).named("store") + (origin <*> .utf8).named("origin"))
  .pooled()

// You can print a plan as an expression, or as a tree with the types of keys and values.
print("\(pages.plan)\n")
print(pages.plan.tree)

// A plan is data: each node has a form, a kind, and typed arguments.
let memory = pages.plan.children[0].children[0]
precondition(memory.kind == "memory" && memory.form == .level(.memory))
precondition(memory.arguments[nil] == .count(100))

// Drawings of a sum don't depend on how the sum is parenthesized.
let far: Cache<URL, String> = .memory(capacity: 5000)
let near: Cache<URL, String> = .memory(capacity: 50)
let left = (near + far) + origin <*> .utf8
let right = near + (far + origin <*> .utf8)
precondition(left.plan.tree == right.plan.tree && left.plan.svg == right.plan.svg)

// A plan can also be converted to a Mermaid flowchart, an SVG drawing, or JSON. A plan in JSON can
// be stored and compared.
print("\n\(pages.plan.mermaid)\n")
let drawing = FileManager.default.temporaryDirectory.appendingPathComponent("strata-explain.svg")
try pages.plan.svg.write(to: drawing, atomically: true, encoding: .utf8)
print("a drawing of \(pages.plan.svg.utf8.count) bytes is at \(drawing.path)")
let again = try CachePlan(json: pages.plan.json)
precondition(again == pages.plan)

// A plan also gives advice. The plan of `pages` gives no advice, but the plan of `hasty` gives
// some.
precondition(pages.plan.advice.isEmpty)
let hasty = (Cache<URL, Data>.memory() + origin).pooled() <*> .utf8
print("\nadvice for \(hasty.plan):")
for remark in hasty.plan.advice { print("- \(remark)") }
precondition(hasty.plan.advice.contains { $0.kind == .pooledMemory })

// The trace of one get shows the start, the outcome, and the duration of each stage.
let recorder = Recorder()
let seen = pages.observed(by: recorder)
guard let url = URL(string: "https://pages.example/one") else { preconditionFailure("a URL") }
for title in ["cold", "warm"] {
  let traced = try await recorder.trace { seen.get(url) }.value
  print("\n\(title): \(try traced.value)\n\(traced.trace.table)")
}

// The memory level of this pipeline is empty, so the get finds the value in `store`. In one
// sentence, `why` explains why the value came from `store`.
let other: Cache<URL, String> =
  (.memory().named("memory") + (\.absoluteString <^> store <*> .utf8).named("store"))
  .observed(by: recorder)
let trace = try await recorder.trace { other.get(url) }.value.trace
print("\n\(trace.why)")
precondition(trace.answeredBy == "store")
