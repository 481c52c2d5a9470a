extension Command {
  /// The help text of the tool, which lists every command with the question that it answers.
  static var overview: String {
    """
    strata-tool: demonstrates and measures Strata, a library of caches that add up.

    Usage: strata-tool [COMMAND] [ARGUMENT…]

    Each command answers a question. Without a command, the \(all[0].name) begins.

    \(all.map(\.listed).joined(separator: "\n"))

    Examples:

      strata-tool explain headline --svg headline.svg
      strata-tool proxy https://api.example.com
      strata-tool hitratio @zipf --capacity 1%,5%,10%

    Arguments: strata-tool help COMMAND lists those of a command, with their defaults.
    Help: strata-tool --help, strata-tool help, strata-tool help COMMAND.
    Version: strata-tool --version.
    Exit status: 0 for success, 1 for a failure or a fault, 2 for invalid arguments.
    """
  }

  /// The command's line in the overview.
  private var listed: String {
    "  \(name)\(String(repeating: " ", count: 10 - name.count))\(purpose)"
  }

  /// The help of this command.
  var help: String {
    var text = "Usage: strata-tool \(usage(indentation: 4))\n\n\(purpose)\n\n\(summary).\n"
    if !options.isEmpty { text += "Arguments, with any default in parentheses:\n" }
    for part in [options.map { "  \($0)" }, notes] where !part.isEmpty {
      text += "\n" + part.joined(separator: "\n") + "\n"
    }
    return String(text.dropLast())  // The caller prints the last line break.
  }

  /// The usage line, wrapped at 80 characters.
  private func usage(indentation: Int) -> String {
    var lines = [name]
    for argument in arguments {
      if lines[lines.count - 1].count + argument.count < 80 {
        lines[lines.count - 1] += " \(argument)"
      } else {
        lines.append(argument)
      }
    }
    return lines.joined(separator: "\n" + String(repeating: " ", count: indentation))
  }
}
