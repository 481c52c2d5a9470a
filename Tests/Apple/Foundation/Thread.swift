import Foundation

// An async function can't use the names that block its thread, or that are about its thread. On
// Linux it can, so this class replaces that of Linux.

/// https://developer.apple.com/documentation/foundation/thread
open class Thread: Foundation.Thread {
  /// https://developer.apple.com/documentation/foundation/thread/current
  @available(*, noasync, message: "Thread.current cannot be used from async contexts.")
  open override class var current: Foundation.Thread { super.current }

  /// https://developer.apple.com/documentation/foundation/thread/ismainthread-swift.type.property
  @available(*, noasync, message: "Mark work for the main actor with @MainActor.")
  open override class var isMainThread: Bool { super.isMainThread }

  /// https://developer.apple.com/documentation/foundation/thread/sleep(fortimeinterval:)
  @available(*, noasync, message: "Use Task.sleep(until:clock:).")
  open override class func sleep(forTimeInterval ti: TimeInterval) {
    super.sleep(forTimeInterval: ti)
  }
}
