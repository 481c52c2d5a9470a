import Foundation
import Strata

/// The epoch of a prefix: a random number that the server stores and that every record contains.
///
/// A record of another epoch is a miss, so a new number clears the prefix for all processes. Each
/// process remembers the number and uses it for writes. Every get updates the remembered number. If
/// the server loses the number, a new random number replaces it, so no get returns a cleared
/// record.
final class RedisEpoch: Sendable {
  let key: [UInt8]
  private let known = Lock<(number: UInt64?, clears: Int)>((nil, 0))
  /// The callers that wait for the number in a cluster.
  let readers = RedisEpochReaders()

  init(key: [UInt8]) { self.key = key }

  /// The newest number that this process has read or written, or `nil` if there is none.
  var number: UInt64? {
    get { known.withLock { $0.number } }
    set { known.withLock { $0.number = newValue } }
  }

  /// The number of clears that this process has sent.
  var clears: Int { known.withLock { $0.clears } }

  /// Begins a new epoch, and returns its number.
  func clear() -> UInt64 {
    let number = Self.random()
    known.withLock { $0 = (number, $0.clears + 1) }
    return number
  }

  /// Remembers the number that the server returned, or `nil` if the server has no number.
  ///
  /// - Parameter clears: The number of clears that this process sent before the request. If the
  ///   process has sent another clear since the request, this function ignores the outdated reply.
  func note(_ reply: RedisReply, after clears: Int) {
    let number = Self.number(reply)
    known.withLock { if $0.clears == clears { $0.number = number } }
  }

  static func number(_ reply: RedisReply) -> UInt64? {
    guard case .bytes(let data) = reply, data.count == 8 else { return nil }
    return data.withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
  }

  static func bytes(_ number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  static func random() -> UInt64 { .random(in: 1 ... .max) }
}
