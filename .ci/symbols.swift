// Says which public symbols have no comment: swift .ci/symbols.swift GRAPH …
//
// A symbol counts if it stands in the sources, which is to say that its graph knows where. The
// compiler's own (a derived ==, a member that another type has from a protocol) stand nowhere, or
// have SYNTHESIZED in their identifier. A comment counts if it has a word and is ours: one that was
// taken over from the standard library's protocol tells nothing of what is done here.

import Foundation

struct Graph: Decodable {
  var symbols: [Symbol]
  let module: Module

  struct Module: Decodable { let name: String }

  /// Where the symbols stand that have no comment.
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

  var isOurs: Bool { location != nil && !identifier.precise.contains("::SYNTHESIZED::") }

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

// Would it be noticed? Of each graph some comments are taken away, one at a time.
for graph in graphs {
  let ours = graph.symbols.indices.filter { graph.symbols[$0].isOurs }
  for index in stride(from: 0, to: ours.count, by: 97).map({ ours[$0] }) {
    var poorer = graph
    poorer.symbols[index].docComment = nil
    guard poorer.silent.contains(graph.symbols[index].place) else {
      print("a comment that is taken away is not missed: \(graph.symbols[index].place)")
      exit(1)
    }
  }
}
print("\(count) public symbols, \(count - silent.count) of them with a comment")
exit(silent.isEmpty && count > 0 ? 0 : 1)
