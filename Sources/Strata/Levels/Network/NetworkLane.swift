import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A URLSession with its delegate, carrying one transfer at a time on Linux.
///
/// There a session does all its work on one queue, which serves the sockets first: while bodies
/// arrive faster than they are read, no new transfer of that session is heard, and no cancel. So a
/// hostile body has a lane of its own to spoil.
final class NetworkLane: Sendable {
  /// Where tasks are made and cancelled: on Linux both wait for the session's own queue, which the
  /// caller must not, nor the delegate, for which that queue may be waiting.
  let control = NetworkControl.make()
  let delegate = NetworkDelegate()
  let urlSession: URLSession
  private let sockets: DispatchQueue?

  init(_ configuration: URLSessionConfiguration) {
    urlSession = URLSession(
      configuration: configuration, delegate: delegate, delegateQueue: NetworkQueue.make())
    sockets = Self.sockets(of: urlSession)
  }

  /// Whether a flood can be cut: see `sockets(of:)`.
  var canPause: Bool { sockets != nil }

  /// Cancels a task at once, on the control queue, even one whose body floods the session.
  func cancel(_ task: URLSessionTask) {
    sockets?.suspend()
    task.cancel()
    _ = task.priority  // Read on the task's queue, so after what the cancel has left there.
    sockets?.resume()
  }

  /// The queue on which Linux serves the sockets; it drains before a cancel is heard.
  ///
  /// Found by reflection, for want of another way to make it pause. Where Foundation keeps it
  /// elsewhere, as on Apple's platforms, a cancel waits for a pause in the body instead.
  private static func sockets(of session: URLSession) -> DispatchQueue? {
    #if canImport(FoundationNetworking)
      let multiHandle = Mirror(reflecting: session).descendant("multiHandle")
      return multiHandle.flatMap { Mirror(reflecting: $0).descendant("queue") } as? DispatchQueue
    #else
      return nil
    #endif
  }

  /// A session keeps itself, its delegate and its connections until it is told that it is done.
  deinit { urlSession.finishTasksAndInvalidate() }
}

/// The lanes of a session that are not in use.
struct NetworkLanes {
  /// Each keeps one idle connection open.
  static let maximumIdle = 8

  private var idle: [(origin: String, lane: NetworkLane)] = []

  /// Takes the lane that last asked this origin, whose connection may still be open.
  mutating func take(for origin: String) -> NetworkLane? {
    guard let index = idle.lastIndex(where: { $0.origin == origin }) else { return nil }
    #if canImport(FoundationNetworking)
      return idle.remove(at: index).lane
    #else
      return idle[index].lane  // Apple's sessions carry many transfers well, over one connection.
    #endif
  }

  /// Keeps a lane; returns the one that has waited longest, if there are too many.
  mutating func keep(_ lane: NetworkLane, for origin: String) -> NetworkLane? {
    guard !idle.contains(where: { $0.lane === lane }) else { return nil }
    idle.append((origin, lane))
    return idle.count > Self.maximumIdle ? idle.removeFirst().lane : nil
  }
}
