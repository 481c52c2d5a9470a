extension Command {
  /// The help of the tool: every command with its summary.
  static var overview: String {
    let width = all.map(\.name.count).max() ?? 0
    let rows = all.enumerated().map { index, command in
      let name = command.name.padding(to: width)
      return "  \(name)  \(command.summary)\(index == 0 ? " (default)" : "")"
    }
    return """
      strata-tool: Strata, caches that add up, at work.

      Usage: strata-tool [command] [arguments]

      Commands:
      \(rows.joined(separator: "\n"))

      Help: strata-tool --help, strata-tool help, strata-tool help COMMAND.
      Exit status: 0 if all went right, 1 if something did not, 2 for arguments that mean nothing.
      """
  }

  /// The help of this command.
  var help: String {
    (["Usage: strata-tool \(name)", "", "\(summary)."] + details).joined(separator: "\n")
  }
}
