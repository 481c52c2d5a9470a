import Foundation

/// A group of calls on one thread, such as the gets of `outcomes(for:)`. Levels can send the calls
/// of a group together.
///
/// At its first call in a group, a level adds a closure that runs at the end of the group. But
/// after a short time, the level must send its calls even if the group hasn't ended, because a
/// later call might block the thread.
@usableFromInline
package final class CallGroup {
  private var depth = 0
  private var members: [(id: ObjectIdentifier, end: () -> Void)] = []

  /// The current group of this thread, or `nil` if the thread isn't in a group.
  package static var current: CallGroup? {
    guard let raw = pthread_getspecific(key) else { return nil }
    let group = Unmanaged<CallGroup>.fromOpaque(raw).takeUnretainedValue()
    return group.depth > 0 ? group : nil
  }

  /// Begins a group on this thread, or joins the thread's current group. The caller must call
  /// ``end()`` once for each call.
  @usableFromInline
  package static func begin() {
    if let raw = pthread_getspecific(key) {
      Unmanaged<CallGroup>.fromOpaque(raw).takeUnretainedValue().depth += 1
    } else {
      let group = CallGroup()
      group.depth = 1
      pthread_setspecific(key, Unmanaged.passRetained(group).toOpaque())
    }
  }

  /// Balances one call of ``begin()``. When the outermost call is balanced, the group ends, and its
  /// closures run.
  @usableFromInline
  package static func end() {
    guard let group = current else { return }
    group.depth -= 1
    guard group.depth == 0, !group.members.isEmpty else { return }
    let members = group.members
    group.members = []
    for member in members { member.end() }
  }

  /// Whether the group already has a closure with this ID.
  package func contains(_ id: ObjectIdentifier) -> Bool { members.contains { $0.id == id } }

  /// Adds a closure that runs once, at the end of the group. The group mustn't contain a closure
  /// with this ID yet.
  package func add(_ id: ObjectIdentifier, end: @escaping () -> Void) { members.append((id, end)) }

  private static let key = makeThreadKey()
}
