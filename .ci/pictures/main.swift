// Draws the documentation's pictures that aren't plans, and saves them in the catalogs. The colors and fonts
// are those of the drawing of a plan, `layers.svg`, which `.ci/drawings.swift` makes.
//
// Usage, in the project's directory: swiftc -swift-version 6 .ci/pictures/*.swift -o .build/pictures
// and then: .build/pictures, or strata-tool hitratio TRACE… --csv | .build/pictures curves,
// or .ci/growth | .build/pictures costs

import Foundation

if CommandLine.arguments.dropFirst().first == "curves" {
  var rows: [HitRatio] = []
  while let line = readLine() { if let row = HitRatio(line) { rows.append(row) } }
  try curves(rows)
} else if CommandLine.arguments.dropFirst().first == "costs" {
  var rows: [HitCost] = []
  while let line = readLine() { if let row = HitCost(line) { rows.append(row) } }
  try costs(rows)
} else {
  try walk()
  try clear()
  try life()
  try lease()
  try segments()
}
