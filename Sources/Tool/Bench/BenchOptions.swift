/// What the arguments of `bench` ask for.
struct BenchOptions: Equatable {
  var groups: [Group] = Group.allCases
  var contests: [String] = []
  var rounds = 15
  var json: OutputFile?
  var svg: OutputFile?
  var scale = Scale()

  init(_ arguments: [String]) throws {
    var reader = ArgumentReader(arguments)
    var asked: [Group] = []
    while let argument = try reader.next() {
      switch argument {
      case "--group": asked += try reader.list(after: argument).map(Self.group)
      case "--contest": contests.append(try reader.value(after: argument))
      case "--rounds": rounds = try reader.number(after: argument, in: 1...10_000)
      case "--json": json = try reader.file(after: argument)
      case "--svg": svg = try reader.file(after: argument)
      case "--quick": scale = .quick
      default: throw UsageError.argument(argument, of: "bench")
      }
    }
    if !asked.isEmpty { groups = Group.allCases.filter(asked.contains) }
    guard Contest.all.contains(where: isAsked) else {
      throw UsageError.value(
        contests.joined(separator: ", "), of: "--contest",
        expected: "part of a contest's title in \(groups.map(\.rawValue).joined(separator: ", "))")
    }
  }

  /// Whether a contest is to be measured: of one of the groups, and with one of the texts in its
  /// title.
  func isAsked(_ contest: Contest) -> Bool {
    groups.contains(contest.group)
      && (contests.isEmpty
        || contests.contains { contest.title.lowercased().contains($0.lowercased()) })
  }

  private static func group(_ name: String) throws -> Group {
    guard let group = Group(rawValue: name) else {
      let known = Group.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError.value(name, of: "--group", expected: "one of \(known)")
    }
    return group
  }
}
