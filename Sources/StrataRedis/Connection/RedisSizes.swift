import StrataCore
import Synchronization

/// The sizes of the values that gets find. They bound the replies that are on their way, so one
/// request for many large values doesn't delay the requests after it.
final class RedisSizes: Sendable {
  /// The maximum expected size of one reply, and of all replies that are on their way.
  private static let mostBytes = 8 << 20
  /// The mean size of a value. Before the first value, a large one is expected.
  private let mean = Atomic(1 << 20)
  private let hasValue = Atomic(false)
  /// The number of keys in flight. Only the connection's thread changes it.
  private let keys = Atomic(0)

  /// The number of keys that one request should have.
  var keysOfRequest: Int {
    min(RedisPipeline.mostGets, max(1, Self.mostBytes / mean.load(ordering: .relaxed)))
  }

  /// Whether a request for more keys may be sent now.
  func mayExpect(_ more: Int) -> Bool {
    let keys = keys.load(ordering: .relaxed)
    return keys == 0 || (keys + more) * mean.load(ordering: .relaxed) <= 2 * Self.mostBytes
  }

  func expect(_ more: Int) { keys.store(keys.load(ordering: .relaxed) + more, ordering: .relaxed) }

  /// Records that replies have arrived.
  func receive(_ count: Int, _ reply: RedisReply = .null) {
    keys.store(keys.load(ordering: .relaxed) - count, ordering: .relaxed)
    guard case .bytes(let data) = reply else { return }
    let old = hasValue.load(ordering: .relaxed) ? mean.load(ordering: .relaxed) : data.count
    hasValue.store(true, ordering: .relaxed)
    mean.store(max(64, data.count / 4, (old * 7 + data.count) / 8), ordering: .relaxed)
  }

  /// Records that no reply is on its way, because the connection has ended.
  func receiveAll() { keys.store(0, ordering: .relaxed) }
}
