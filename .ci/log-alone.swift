// Defines minimal versions of the core types that the disk level's log uses. The fuzzer and the
// program in `.ci/hostile` compile the log with these definitions instead of the library's core.
import Foundation

final class OperationOrder: Sendable {
  enum Rule { case level }
  init(_ rule: Rule) {}
}

extension DispatchQueue {
  static let work = DispatchQueue(label: "strata.work", attributes: .concurrent)

  var worker: @Sendable (@escaping @Sendable () -> Void) -> Void { { self.async(execute: $0) } }
}
