/// The parsed arguments of the tool.
enum Invocation {
  /// A request for a command's help text, or for the overview if the command is `nil`.
  case help(Command?)
  /// A request for the version.
  case version
  /// A command with its arguments.
  case run(Command, [String])

  /// Parses the arguments that follow the name of the tool.
  ///
  /// When the arguments name no command, the default command runs. Requests for help override all
  /// other arguments.
  ///
  /// - Throws: ``UsageError`` for an unknown command.
  init(_ arguments: [String], commands: [Command] = Command.all) throws {
    var rest = arguments[...]
    let isHelp = rest.first == "help" || rest.contains { $0 == "-h" || $0 == "--help" }
    if rest.first == "help" { rest = rest.dropFirst() }
    if !isHelp, rest.first == "--version" {
      if let excess = rest.dropFirst().first {
        throw UsageError.excess(excess, of: "--version", limit: "no argument")
      }
      self = .version
      return
    }

    guard let name = rest.first, !name.hasPrefix("-") else {
      guard !isHelp, let command = commands.first else {
        self = .help(nil)
        return
      }
      self = .run(command, Array(rest))
      return
    }
    guard let command = commands.first(where: { $0.name == name }) else {
      throw UsageError.command(name, known: commands.map(\.name))
    }
    self = isHelp ? .help(command) : .run(command, Array(rest.dropFirst()))
  }
}

/// The error for invalid arguments.
enum UsageError: Error, CustomStringConvertible {
  case command(String, known: [String])
  case argument(String, of: String)
  case name(String, of: String, known: [String])
  case flag(String)
  case excess(String, of: String, limit: String)
  case value(String, of: String, expected: String)

  var description: String {
    switch self {
    case .command(let name, let known):
      "there is no command '\(name)'. Commands: \(known.joined(separator: ", "))."
    case .argument(let argument, let command):
      "\(command) has no argument '\(argument)'."
    case .name(let name, let kind, let known):
      "there is no \(kind) '\(name)'. Known: \(known.joined(separator: ", "))."
    case .excess(let argument, let command, let limit):
      "\(command) takes \(limit): '\(argument)' is one too many."
    case .flag(let option):
      "\(option) takes no value."
    case .value("", let option, let expected):
      "\(option) needs \(expected)."
    case .value(let value, let option, let expected):
      "\(option) can't be '\(value)'. It needs \(expected)."
    }
  }
}
