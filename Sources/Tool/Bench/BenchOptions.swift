/// The options of `bench`.
struct BenchOptions: Equatable {
  var groups: [Group] = Group.allCases
  var titles: [String] = []
  var rounds = 15
  var json: OutputFile?
  var svg: OutputFile?
  var scale = Scale()

  init(_ arguments: [String]) throws {
    var reader = ArgumentReader(arguments)
    var selected: [Group] = []
    while let argument = try reader.next() {
      switch argument {
      case "--group": selected += try reader.list(after: argument).map(Self.group)
      case "--contest": titles.append(try reader.value(after: argument))
      case "--rounds": rounds = try reader.number(after: argument, in: 1...10_000)
      case "--json": json = try reader.file(after: argument)
      case "--svg": svg = try reader.file(after: argument)
      case "--quick": scale = .quick
      default: throw UsageError.argument(argument, of: "bench")
      }
    }
    if let json, let svg, json.path == svg.path || json.isSame(as: svg.path) {
      throw UsageError.value(svg.path, of: "--svg", expected: "another file than --json")
    }
    if !selected.isEmpty { groups = Group.allCases.filter(selected.contains) }
    guard Benchmark.all.contains(where: includes) else {
      throw UsageError.value(
        titles.joined(separator: ", "), of: "--contest",
        expected: "part of a benchmark's title in \(groups.map(\.rawValue).joined(separator: ", "))"
      )
    }
  }

  /// Whether the benchmark's group and title match the options.
  func includes(_ benchmark: Benchmark) -> Bool {
    groups.contains(benchmark.group)
      && (titles.isEmpty
        || titles.contains { benchmark.title.lowercased().contains($0.lowercased()) })
  }

  private static func group(_ name: String) throws -> Group {
    guard let group = Group(rawValue: name) else {
      let known = Group.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError.value(name, of: "--group", expected: "one of \(known)")
    }
    return group
  }
}
