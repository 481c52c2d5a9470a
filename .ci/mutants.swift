// Writes the verdicts of a run of .ci/mutate into the table of mutants.
//
// Usage: `mutants TABLE <VERDICTS`. Each line of the input is a verdict: `killed`, `survived`, or
// `unreached`, and then the file, the line, the kind, the source, and the test that killed the mutant.
// The table keeps its introduction, the rows of other files that still exist, and the judgments of survivors.
// A judgment that begins with “Equivalent” says that no program can tell the mutant from the original.
import Foundation

struct Row {
  var (mutants, killed, equivalent) = (0, 0, 0)
  var survivors: [String] = []
}

let table = URL(fileURLWithPath: CommandLine.arguments[1])
let old = (try? String(contentsOf: table, encoding: .utf8)) ?? ""
let introduction = old.components(separatedBy: "\n## Kill rates")[0]
var rows: [String: Row] = [:]
var judgments: [String: String] = [:]

/// The text of a survivor without its judgment.
func key(_ survivor: String) -> String { survivor.components(separatedBy: "`: ")[0] }

var file = ""
for line in old.components(separatedBy: "\n") {
  if line.hasPrefix("| `") {
    let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    let name = cells[0].trimmingCharacters(in: ["`"])
    rows[name] = Row(
      mutants: Int(cells[1]) ?? 0, killed: Int(cells[2]) ?? 0, equivalent: Int(cells[3]) ?? 0)
  } else if line.hasPrefix("### `") {
    file = line.dropFirst(4).trimmingCharacters(in: ["`"])
  } else if line.hasPrefix("- ") {
    rows[file]?.survivors.append(line)
    judgments[file + key(line)] = String(line.dropFirst(key(line).count + 3))
  }
}

var seen: Set<String> = []
while let line = readLine() {
  let parts = line.components(separatedBy: "\t")
  guard parts.count >= 5 else { continue }
  let name = String(parts[1].dropFirst("Sources/".count))
  if seen.insert(name).inserted { rows[name] = Row() }
  rows[name]!.mutants += 1
  if parts[0] == "killed" {
    rows[name]!.killed += 1
    continue
  }
  let survivor = "- \(parts[0]), \(parts[3]): `\(parts[4].replacingOccurrences(of: "`", with: "'"))"
  let judgment = judgments[name + survivor] ?? "Not judged."
  if judgment.hasPrefix("Equivalent") { rows[name]!.equivalent += 1 }
  rows[name]!.survivors.append(survivor + "`: " + judgment)
}

func rate(_ row: Row) -> String {
  let count = row.mutants - row.equivalent
  return count == 0 ? "-" : String(format: "%.0f %%", 100 * Double(row.killed) / Double(count))
}

rows = rows.filter { FileManager.default.fileExists(atPath: "Sources/\($0.key)") }

var all = Row()
for row in rows.values {
  all.mutants += row.mutants
  all.killed += row.killed
  all.equivalent += row.equivalent
}
var lines = [introduction, "## Kill rates", ""]
lines += ["| File | Mutants | Killed | Equivalent | Rate |", "|---|--:|--:|--:|--:|"]
for (name, row) in rows.sorted(by: { $0.key < $1.key }) {
  lines.append("| `\(name)` | \(row.mutants) | \(row.killed) | \(row.equivalent) | \(rate(row)) |")
}
lines.append("| all | \(all.mutants) | \(all.killed) | \(all.equivalent) | \(rate(all)) |")
lines += ["", "## Survivors"]
for (name, row) in rows.sorted(by: { $0.key < $1.key }) where !row.survivors.isEmpty {
  lines += ["", "### `\(name)`", ""] + row.survivors.sorted()
}
try (lines.joined(separator: "\n") + "\n").write(to: table, atomically: true, encoding: .utf8)
