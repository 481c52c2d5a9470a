import StrataCore
import Synchronization

/// The sizes of the values that gets find. From their mean size, the client estimates how many
/// values it may request at the same time. So many large values don't delay other requests.
final class RedisSizes: Sendable {
  /// The maximum expected size of one reply, and of all replies that haven't arrived yet.
  private static let mostBytes = 8 << 20
  /// The mean size of a value. Before the first value, it's assumed to be large.
  private let mean = Atomic(1 << 20)
  private let hasValue = Atomic(false)

  /// The number of keys that one request should have.
  var keysOfRequest: Int {
    min(RedisPipeline.mostGets, max(1, Self.mostBytes / mean.load(ordering: .relaxed)))
  }

  /// Whether a request for more keys may be sent before the values of earlier keys have arrived.
  func mayExpect(_ more: Int, after keys: Int) -> Bool {
    keys == 0 || (keys + more) * mean.load(ordering: .relaxed) <= 2 * Self.mostBytes
  }

  /// Records the size of a value.
  func receive(_ reply: RedisReply) {
    guard case .bytes(let data) = reply else { return }
    let old = hasValue.load(ordering: .relaxed) ? mean.load(ordering: .relaxed) : data.count
    hasValue.store(true, ordering: .relaxed)
    mean.store(max(64, data.count / 4, (old * 7 + data.count) / 8), ordering: .relaxed)
  }
}
