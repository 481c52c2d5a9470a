import Foundation
import StrataCore

/// The epoch of a prefix: a random number that the server stores and that every record contains.
///
/// A record of another epoch is a miss. So a `clear` only replaces the number, and every process
/// treats the earlier records of the prefix as missing. Each process remembers the number for its
/// writes, and updates it with every get, which also reads the number from the server.
///
/// When the server loses the number, a new random one takes its place. Even then, gets of records
/// that were cleared earlier miss, because these records contain the number of their own epoch.
final class RedisEpoch: Sendable {
  private struct State {
    var number: UInt64?
    var clears = 0
    var served: UInt64?
    var run: [UInt8]?
  }

  let key: [UInt8]
  /// The name under which the server stores the ID of its run. When the server restarts, its ID
  /// changes, and it may have lost writes.
  var runKey: [UInt8] { key + Array("-run".utf8) }
  private let state = Lock(State())
  /// The callers that wait for the epoch's number. Only a cluster uses this property.
  let readers = RedisEpochReaders()

  /// The beginning of an encoded `MGET`, without the count of its words: the command and the
  /// epoch's key.
  let beginningOfGets: [UInt8]
  /// The command that reads the epoch.
  let readCommand: [UInt8]

  init(key: [UInt8]) {
    self.key = key
    let argument = Array("$\(key.count)\r\n".utf8) + key + [13, 10]
    beginningOfGets = Array("$4\r\nMGET\r\n".utf8) + argument
    readCommand = Array("*2\r\n$3\r\nGET\r\n".utf8) + argument
  }

  /// The number in the server's last reply. Clusters don't use this property.
  var served: UInt64? {
    get { state.withLock { $0.served } }
    set { state.withLock { $0.served = newValue } }
  }

  /// The ID of the server's run in which this epoch was found to be valid.
  var run: [UInt8]? {
    get { state.withLock { $0.run } }
    set { state.withLock { $0.run = newValue } }
  }

  /// The latest number that this process has read or written, or `nil` if there is none.
  var number: UInt64? {
    get { state.withLock { $0.number } }
    set { state.withLock { $0.number = newValue } }
  }

  /// The number of `clear` operations that this process has sent.
  var clears: Int { state.withLock { $0.clears } }

  /// Begins a new epoch, and returns its number.
  func clear() -> UInt64 {
    let number = Self.random()
    state.withLock { ($0.number, $0.clears) = (number, $0.clears + 1) }
    return number
  }

  /// Forgets the number, because this process removes the epoch from the server.
  func forget() { state.withLock { ($0.number, $0.clears) = (nil, $0.clears + 1) } }

  /// Sets ``number`` to the epoch's number in a server's reply, or to `nil` if the reply contains
  /// no number.
  ///
  /// - Parameter clears: The number of `clear` operations that this process had sent when the
  ///   request began. When the process has sent another `clear` since then, the reply is outdated,
  ///   and this function ignores it.
  func note(_ number: UInt64?, after clears: Int) {
    state.withLock { if $0.clears == clears { $0.number = number } }
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
