/// A level of the tour's pipeline, under the name that its events carry; the upper-most first.
enum Stage: String, CaseIterable, Sendable {
  case memory
  case disk
  case network

  /// The stages that a value found in this one is written into.
  var above: [Stage] { Stage.allCases.filter { $0.depth < depth } }

  private var depth: Int { Stage.allCases.firstIndex(of: self) ?? 0 }
}
