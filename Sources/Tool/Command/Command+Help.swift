extension Command {
  /// The help text of the tool, which lists every command with its summary and arguments.
  static var overview: String {
    """
    strata-tool: demonstrates and measures Strata, a library of caches that add up.

    Usage: strata-tool [COMMAND] [ARGUMENT…]

    Commands, with the default of each argument in parentheses. The default command is \(all[0].name).
    \(all.map(\.listed).joined())
    Help: strata-tool --help, strata-tool help, strata-tool help COMMAND.
    Version: strata-tool --version.
    Exit status: 0 for success, 1 for a failure or a fault, 2 for invalid arguments.
    """
  }

  /// The command's entry in the overview, which begins with an empty line.
  private var listed: String {
    var text = "\n  \(usage(indentation: 6))\n"
    for line in ["\(summary)."] + options { text += "      \(line)\n" }
    return text
  }

  /// The help of this command.
  var help: String {
    var text = "Usage: strata-tool \(usage(indentation: 4))\n\n\(summary).\n"
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
