import Dispatch
import Synchronization

/// The queues on which tasks are made and cancelled.
///
/// On Linux each call holds a thread while it waits for the session's own queue. Dispatch has 255
/// threads for all serial queues: with as many transfers waiting, the sessions would have none left
/// and nothing would move again. So no more than sixteen wait at once.
enum NetworkControl {
  static let width = 16

  private static let shared = (0..<width).map { number in
    DispatchQueue(label: "strata.network.control.\(number)")
  }
  private static let made = Atomic(0)

  /// A queue for a lane, one thing after another.
  static func make() -> DispatchQueue {
    let number = made.wrappingAdd(1, ordering: .relaxed).oldValue
    return DispatchQueue(
      label: "strata.network.control", target: shared[number & (width - 1)])
  }
}
