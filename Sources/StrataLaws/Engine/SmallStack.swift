import Foundation
import StrataVerbs

/// Runs a closure on a thread with only 512 KB of stack, and returns its result. Tests use this
/// function to detect deep recursion.
package func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
  let result = Lock<Result?>(nil)
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    let value = body()
    result.withLock { $0 = value }
    done.signal()
  }
  thread.stackSize = 512 << 10
  thread.start()
  done.wait()
  return result.withLock { $0! }
}
