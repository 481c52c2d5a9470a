/// The levels of the tour's pipeline, from top to bottom. Events name the stages by these raw
/// values.
enum Stage: String, CaseIterable, Sendable {
  case memory
  case disk
  case network

  /// The stages above this stage. Hits in this stage back-fill all of them.
  var above: [Stage] { Stage.allCases.filter { $0.depth < depth } }

  private var depth: Int { Stage.allCases.firstIndex(of: self) ?? 0 }
}
