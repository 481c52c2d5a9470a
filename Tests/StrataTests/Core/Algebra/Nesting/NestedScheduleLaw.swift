/// The laws of one run of a schedule.
struct NestedScheduleLaw {
  private typealias Operation = NestedSchedule.Operation

  private let scope: NestedScope
  private let operations: [NestedSchedule.Operation]
  private let contents: [[Int: Int]]

  init(
    _ scope: NestedScope, _ operations: [NestedSchedule.Operation], _ contents: [[Int: Int]]
  ) {
    (self.scope, self.operations, self.contents) = (scope, operations, contents)
  }

  /// The first violation.
  var violation: String? {
    for one in operations {
      guard let answer = one.answer else { return "\(one.action) never ends" }
      guard case .get(let key) = one.action else { continue }
      switch answer {
      case .value(let value):
        if let newer = newer(than: value, of: key, for: one) {
          return "\(one.action) returned \(value) after \(newer.action)"
        }
      case .miss where scope.failures == 0:
        if let lost = lost(key, for: one) { return "\(one.action) missed after \(lost)" }
      case .failure where scope.failures == 0: return "\(one.action) failed"
      default: break
      }
    }
    // With two failures, the removal of a value may fail, too. Gets don't read this value.
    return scope.failures > 1 ? nil : difference
  }

  /// Two levels, or a level and the last get, that have different values at rest.
  private var difference: String? {
    for last in operations where last.client == nil {
      guard case .get(let key) = last.action else { continue }
      var values = Set(contents.compactMap { $0[key] })
      if case .value(let value) = last.answer { values.insert(value) }
      if values.count > 1 { return "the levels have \(values.sorted()) for \(key)" }
    }
    return nil
  }

  /// A write that makes a value outdated before a get begins: it was called after the value's write
  /// had returned. It had ended, or had been called and succeeded.
  private func newer(than value: Int, of key: Int, for get: Operation) -> Operation? {
    let source = operations.first { $0.action == .set(key, value) }
    return operations.first { write in
      guard writes(write, key), write.began > source?.returned ?? 0 else { return false }
      return write.ended < get.began || write.returned < get.began && write.answer == .done
    }
  }

  /// A value that was stored before a get, and that no other operation may have removed.
  private func lost(_ key: Int, for get: Operation) -> String? {
    var stored = operations.filter { one in
      if case .set(key, _) = one.action { one.ended < get.began } else { false }
    }.map { (began: $0.began, text: "\($0.action)") }
    if !scope.filled.isEmpty { stored.append((0, "the first value")) }
    return stored.first { set in
      !operations.contains { one in
        guard writes(one, key), one.began < get.ended else { return false }
        if case .set = one.action { return false }
        return one.ended > set.began
      }
    }?.text
  }

  private func writes(_ one: Operation, _ key: Int) -> Bool {
    one.action.isWrite && (one.action.key == nil || one.action.key == key)
  }
}
