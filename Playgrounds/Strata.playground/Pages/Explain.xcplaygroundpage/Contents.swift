// # Explain
//
// A pipeline can say what it is made of, what a reviewer would say of it, and why an answer came
// from where it did. Run this page with `swift run page-explain`.

import Foundation
import Strata

let origin = Fetcher<URL, Data> { url in Data("the page at \(url.path)".utf8) }
let store: Cache<String, Data> = .memory(capacity: 100_000_000, cost: .bytes)
let pages: Cache<URL, String> =
  .memory(capacity: 100).named("memory")
  + ((\.absoluteString <^> store <*> .utf8).named("store") + (origin <*> .utf8).named("origin"))
  .pooled()

// As an expression, and as a tree with the types of keys and values.
print("\(pages.plan)\n")
print(pages.plan.tree)

// However it is bracketed, it looks the same.
let far: Cache<URL, String> = .memory(capacity: 5000)
let near: Cache<URL, String> = .memory(capacity: 50)
let left = (near + far) + origin <*> .utf8
let right = near + (far + origin <*> .utf8)
precondition(left.plan.tree == right.plan.tree && left.plan.svg == right.plan.svg)

// As a flowchart in Mermaid, a drawing in SVG, and JSON that can be kept, compared and read back.
print("\n\(pages.plan.mermaid)\n")
let drawing = FileManager.default.temporaryDirectory.appendingPathComponent("strata-explain.svg")
try pages.plan.svg.write(to: drawing, atomically: true, encoding: .utf8)
print("a drawing of \(pages.plan.svg.utf8.count) bytes is at \(drawing.path)")
let again = try CachePlan(json: pages.plan.json)
precondition(again == pages.plan)

// What a reviewer would say: of this one nothing, of the next one a few things.
precondition(pages.plan.advice.isEmpty)
let hasty = (Cache<URL, Data>.memory() + origin).pooled() <*> .utf8
print("\nof \(hasty.plan):")
for remark in hasty.plan.advice { print("- \(remark)") }
precondition(hasty.plan.advice.contains { $0.kind == .pooledMemory })

// One get, traced: when each stage was asked, what it said, and how long it took.
let recorder = Recorder()
let seen = pages.observed(by: recorder)
guard let url = URL(string: "https://pages.example/one") else { preconditionFailure("a URL") }
for title in ["cold", "warm"] {
  let traced = try await recorder.trace { seen.get(url) }.value
  print("\n\(title): \(try traced.value)\n\(traced.trace)")
}

// After a memory warning the store has it; the trace says why in one sentence.
let other: Cache<URL, String> =
  (.memory().named("memory") + (\.absoluteString <^> store <*> .utf8).named("store"))
  .observed(by: recorder)
let trace = try await recorder.trace { other.get(url) }.value.trace
print("\n\(trace.why)")
precondition(trace.answeredBy == "store")
