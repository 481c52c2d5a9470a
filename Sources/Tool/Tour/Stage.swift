/// The levels of the tour's pipeline by the names in their events, from top to bottom.
enum Stage: String, CaseIterable, Sendable {
  case memory
  case disk
  case network

  /// The stages above this one, which a hit in this stage back-fills.
  var above: [Stage] { Stage.allCases.filter { $0.depth < depth } }

  private var depth: Int { Stage.allCases.firstIndex(of: self) ?? 0 }
}
