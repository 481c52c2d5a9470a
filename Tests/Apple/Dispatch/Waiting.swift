@_exported import Dispatch

// On Apple's platforms, the compiler rejects calls to blocking methods in async functions. On
// Linux, Dispatch allows blocking calls in async functions. The classes in this file replace
// Dispatch's classes, so the compiler rejects these blocking calls on Linux too.

/// https://developer.apple.com/documentation/dispatch/dispatchsemaphore
public final class DispatchSemaphore: Sendable {
  private let semaphore: Dispatch.DispatchSemaphore

  public init(value: Int) { semaphore = Dispatch.DispatchSemaphore(value: value) }

  @discardableResult
  public func signal() -> Int { semaphore.signal() }

  /// https://developer.apple.com/documentation/dispatch/dispatchsemaphore/wait()
  @available(*, noasync, message: "Await a Task handle instead.")
  public func wait() { semaphore.wait() }

  /// https://developer.apple.com/documentation/dispatch/dispatchsemaphore/wait(timeout:)
  @available(*, noasync, message: "Await a Task handle instead.")
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
    semaphore.wait(timeout: timeout)
  }
}

/// https://developer.apple.com/documentation/dispatch/dispatchgroup
public final class DispatchGroup: Sendable {
  fileprivate let group = Dispatch.DispatchGroup()

  public init() {}
  public func enter() { group.enter() }
  public func leave() { group.leave() }

  /// https://developer.apple.com/documentation/dispatch/dispatchgroup/wait()
  @available(*, noasync, message: "Use a TaskGroup instead.")
  public func wait() { group.wait() }
}

extension DispatchQueue {
  /// https://developer.apple.com/documentation/dispatch/dispatchqueue/async(group:qos:flags:execute:)
  public func async(
    group: DispatchGroup, execute work: @escaping @Sendable @convention(block) () -> Void
  ) {
    async(group: group.group, execute: work)
  }
}
