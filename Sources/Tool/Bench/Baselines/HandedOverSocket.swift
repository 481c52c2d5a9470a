import Foundation
import Strata

/// The least that a client with an asynchronous surface can do: callers suspend, one thread writes
/// all waiting requests with one system call, reads the replies, and resumes the callers.
///
/// It knows the length of each reply, and it neither parses replies nor has deadlines.
final class HandedOverSocket: Sendable {
  private struct Request {
    let bytes: [UInt8]
    let reply: Int
    let caller: CheckedContinuation<Data, Never>
  }

  private struct State {
    var waiting: [Request] = []
    var isEnding = false
  }

  /// What the thread shares with the callers. The thread doesn't keep the handle itself alive.
  private final class Queue: Sendable {
    let state = Lock(State())
    let arrival = DispatchSemaphore(value: 0)
  }

  private let queue = Queue()

  init(_ server: RedisBaseline) {
    let queue = queue
    Thread {
      while true {
        queue.arrival.wait()
        let (requests, isEnding) = queue.state.withLock { state in
          defer { state.waiting.removeAll() }
          return (state.waiting, state.isEnding)
        }
        if isEnding { return }
        guard !requests.isEmpty else { continue }  // An earlier turn has taken them.
        let length = requests.reduce(0) { $0 + $1.reply }
        server.exchange(requests.flatMap(\.bytes), bytes: length)
        for request in requests { request.caller.resume(returning: Data(count: request.reply)) }
      }
    }.start()
  }

  deinit {
    queue.state.withLock { $0.isEnding = true }
    queue.arrival.signal()
  }

  /// Sends a request, and returns a value of the reply's length.
  func exchange(_ bytes: [UInt8], reply: Int) async -> Data {
    await withCheckedContinuation { caller in
      let isFirst = queue.state.withLock { state in
        state.waiting.append(Request(bytes: bytes, reply: reply, caller: caller))
        return state.waiting.count == 1
      }
      if isFirst { queue.arrival.signal() }
    }
  }
}
