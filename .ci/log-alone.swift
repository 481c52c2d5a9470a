// Replaces the parts of the core that the log of the disk level uses, so the fuzzer and the attack
// in `.ci/hostile` compile only the log.
import Foundation

final class OperationOrder: Sendable {
  enum Rule { case level }
  init(_ rule: Rule) {}
}

extension DispatchQueue {
  static let work = DispatchQueue(label: "strata.work", attributes: .concurrent)

  var worker: @Sendable (@escaping @Sendable () -> Void) -> Void { { self.async(execute: $0) } }
}
