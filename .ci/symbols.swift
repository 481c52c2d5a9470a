// Lists the public symbols that have no comment, and counts the public symbols of each module.
// Usage: `swift .ci/symbols.swift GRAPH …`.
//
// The script counts only symbols that have a source location in the symbol graph. A
// compiler-generated symbol, such as a derived == or an inherited member, either has no location or
// has an identifier with the text SYNTHESIZED. A comment counts only if it contains a letter and
// was written in the symbol's module. The script ignores comments inherited from standard-library
// protocols, because these comments don't describe this code.

import Foundation

struct Graph: Decodable {
  var symbols: [Symbol]
  let module: Module

  struct Module: Decodable { let name: String }

  /// The locations of the symbols without a comment.
  var silent: [String] {
    symbols.filter { $0.isOurs && !$0.isDocumented(in: module.name) }.map(\.place)
  }
}

struct Symbol: Decodable {
  let identifier: Identifier
  let pathComponents: [String]
  let location: Location?
  var docComment: Comment?

  struct Identifier: Decodable { let precise: String }

  struct Location: Decodable {
    let uri: String
    let position: Position
    struct Position: Decodable { let line: Int }
  }

  struct Comment: Decodable {
    let module: String?
    let lines: [Line]
    struct Line: Decodable { let text: String }
  }

  /// Whether the symbol is declared in source code and isn't an extension. The identifier of an
  /// extension begins with `s:e:`.
  var isOurs: Bool {
    location != nil && !identifier.precise.contains("::SYNTHESIZED::")
      && !identifier.precise.hasPrefix("s:e:")
  }

  func isDocumented(in module: String) -> Bool {
    guard let docComment, docComment.module ?? module == module else { return false }
    return docComment.lines.contains { $0.text.contains(where: \.isLetter) }
  }

  var place: String {
    let file = location?.uri.components(separatedBy: "/Sources/").last ?? "?"
    let line = (location?.position.line ?? -1) + 1
    return "\(file):\(line): \(pathComponents.joined(separator: "."))"
  }
}

let graphs = try CommandLine.arguments.dropFirst().map { path in
  try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
}
let silent = graphs.flatMap(\.silent)
let count = graphs.flatMap(\.symbols).filter(\.isOurs).count
for place in silent { print("without a comment: \(place)") }

// Tests that the check can fail: removes some comments, one at a time, and expects a report of each
// removal.
for graph in graphs {
  let ours = graph.symbols.indices.filter { graph.symbols[$0].isOurs }
  for index in stride(from: 0, to: ours.count, by: 97).map({ ours[$0] }) {
    var poorer = graph
    poorer.symbols[index].docComment = nil
    guard poorer.silent.contains(graph.symbols[index].place) else {
      print("a removed comment is not reported: \(graph.symbols[index].place)")
      exit(1)
    }
  }
}
let modules = Dictionary(
  graphs.map { ($0.module.name, $0.symbols.filter(\.isOurs).count) }, uniquingKeysWith: +)
for (name, count) in modules.sorted(by: { $0.key < $1.key }) {
  print("\(name): \(count) public symbols")
}
print("\(count) public symbols, \(count - silent.count) of them with a comment")
exit(silent.isEmpty && count > 0 ? 0 : 1)
