// Defines minimal versions of the core types that the disk level's log uses. With these
// definitions, the fuzzer and the attack in `.ci/hostile` can compile the log without the core.
import Foundation

final class OperationOrder: Sendable {
  enum Rule { case level }
  init(_ rule: Rule) {}
}

extension DispatchQueue {
  static let work = DispatchQueue(label: "strata.work", attributes: .concurrent)

  var worker: @Sendable (@escaping @Sendable () -> Void) -> Void { { self.async(execute: $0) } }
}
