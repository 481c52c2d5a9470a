@testable import StrataCore
@testable import StrataVerbs

/// The laws of a sum that hold for every expression.
struct NestedLaw {
  let operations: [NestedRun.Operation]

  /// The first violation.
  var violation: String? {
    for one in operations {
      if one.ended == .max { return "\(one.step) never ends" }
      if let duration = one.duration, duration > 60_000 { return "\(one.step): \(duration) ms" }
      guard case .get(let key) = one.step, let value = one.value else { continue }
      if let newer = newer(than: value, of: key, for: one) {
        return "\(one.step) returned \(value) after \(newer.step) (\(newer.answer))"
      }
    }
    return nil
  }

  /// A write that makes a value outdated before a get begins: it was called after the value's write
  /// had returned. It had ended, or had been called and succeeded.
  private func newer(
    than value: Int, of key: Int, for get: NestedRun.Operation
  ) -> NestedRun.Operation? {
    let source = operations.first { $0.step == .set(key, value) }
    return operations.first { write in
      guard write.step.writes(key), write.began > source?.returned ?? 0 else { return false }
      if write.ended < get.began { return !write.isCancelled }
      return write.returned < get.began && write.answer == "()"
    }
  }
}
