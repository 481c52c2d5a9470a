// Draws the documentation's pipelines and saves the drawings in FOLDER. The command
// `strata-tool explain headline` also draws the first pipeline.
//
// Usage: `Playgrounds/run .ci/drawings.swift FOLDER`

import Foundation
import Strata
import StrataExplain

struct Article: Codable, Sendable {
  var title = ""
}

let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
// This program draws the level's plan, but doesn't store any values in the level.
let disk: Cache<String, Data> = .disk("articles", in: folder)

func draw(_ name: String, _ plan: CachePlan) throws {
  try Data(plan.svg.utf8).write(to: folder.appendingPathComponent("\(name).svg"))
}

let articles: Cache<URL, Article> =
  (.memory() + \.absoluteString <^> .disk("articles", in: folder) <*> .stamped(.json()))
  .expiring(after: .seconds(3600)) + (.network() <*> .json()).pooled()
try draw("pipeline", articles.plan)

let origin = Fetcher<Int, String> { number in String(number) }
try draw("layers", (Cache<Int, String>.memory(capacity: 100) + origin).plan)

let values: Cache<URL, Article> = \.absoluteString <^> disk <*> .json()
try draw("values", values.plan)
print("drawn into \(folder.path)")
