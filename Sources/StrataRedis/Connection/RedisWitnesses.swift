import StrataCore
import Synchronization

/// A report of what a Redis level has found or stored.
enum RedisWitness: Sendable {
  /// The server has returned a value.
  case found(name: [UInt8])
  /// A back-fill is about to be sent.
  case fills(RedisFill)
  /// A back-fill was answered.
  case filled(RedisFill, hasSucceeded: Bool)

  var name: [UInt8] {
    switch self {
    case .found(let name): name
    case .fills(let fill), .filled(let fill, _): fill.name
    }
  }
}

/// The Redis levels of a client, and the followers to inform about what these levels have found and
/// stored.
final class RedisWitnesses: Sendable {
  private let followers = Lock<[RedisFollower]>([])
  private let count = Atomic(0)
  /// The number of Redis levels with each prefix.
  private let levels = Lock<[[UInt8]: Int]>([:])

  /// Whether there is no follower.
  var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

  func add(_ follower: RedisFollower) { update { $0.append(follower) } }

  func forgetReleased() { update { $0.removeAll { !$0.isAlive() } } }

  /// Whether a Redis level of the client has exactly this prefix.
  func hasLevel(_ prefix: [UInt8]) -> Bool { levels.withLock { $0[prefix] != nil } }

  func addLevel(_ prefix: [UInt8]) { levels.withLock { $0[prefix, default: 0] += 1 } }

  func removeLevel(_ prefix: [UInt8]) {
    levels.withLock { levels in
      levels[prefix]? -= 1
      if levels[prefix] == 0 { levels[prefix] = nil }
    }
  }

  // Releases the old array after unlocking.
  private func update(_ body: (inout [RedisFollower]) -> Void) {
    _ = followers.withLock { followers in
      let earlier = followers
      body(&followers)
      count.store(followers.count, ordering: .releasing)
      return earlier
    }
  }

  /// Passes a witness to the followers of its key.
  func report(_ witness: @autoclosure () -> RedisWitness) {
    guard !isEmpty else { return }
    let witness = witness()
    let name = witness.name
    for follower in followers.withLock({ $0 }) where name.starts(with: follower.prefix) {
      follower.witness(witness)
    }
  }
}
