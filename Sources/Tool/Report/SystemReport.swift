import Foundation

/// A report about behavior that differs between operating systems.
struct SystemReport {
  /// The result of one probe.
  struct Row {
    let subject: String
    let result: String
    let isSound: Bool
  }

  let rows: [Row]

  /// Runs all probes in a temporary directory.
  init() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    rows = SystemProbe.all.map { probe in
      do {
        return Row(subject: probe.subject, result: try probe.run(directory.url), isSound: true)
      } catch {
        return Row(subject: probe.subject, result: "\(error)", isSound: false)
      }
    }
  }

  /// Whether every probe succeeded.
  var isSound: Bool { rows.allSatisfy(\.isSound) }

  /// The description of the system, and the results as a Markdown table.
  var text: String {
    let lines = rows.map { row in
      "| \(row.subject) | \(row.isSound ? "" : "**FAILED:** ")\(Self.cell(row.result)) |"
    }
    return """
      \(Self.system)

      | Probe | Result |
      |---|---|
      \(lines.joined(separator: "\n"))
      """
  }

  private static func cell(_ text: String) -> String {
    text.replacingOccurrences(of: "|", with: "\\|").replacingOccurrences(of: "\n", with: " ")
  }

  private static var system: String {
    let process = ProcessInfo.processInfo
    return "\(process.operatingSystemVersionString), \(process.activeProcessorCount) processors, "
      + "\(process.physicalMemory >> 20) MiB of memory"
  }
}
