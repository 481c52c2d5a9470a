import Foundation
import StrataCore

/// A connection to one server. All threads share the connection. The connection runs on a dedicated
/// thread, which starts with the first request or follower.
final class RedisConnection: RedisClient {
  let settings: RedisSettings
  let journal = RedisJournal()
  let witnesses = RedisWitnesses()
  var sizes: RedisSizes { settings.sizes }
  var keepsOrder: Bool { true }
  private let mailbox: RedisMailbox?
  private let life = Lock(Life())

  private struct Life {
    var isStarted = false
    /// Succeeds when the thread has ended, or `nil` before the connection is closed.
    var closing: Promise<Void>?
  }

  init(_ settings: RedisSettings) {
    self.settings = settings
    mailbox = RedisMailbox(limits: settings.limits)
  }

  deinit { mailbox?.add { $0.isStopping = true } }

  /// The address, without the user name or the password.
  var description: String { settings.label }

  func send(_ request: RedisRequest) {
    if case .failure(let error) = settings.address {
      request.finish(.failure(.error(error)))
    } else if let mailbox {
      startThread(mailbox)
      mailbox.send(request)
    } else {
      request.finish(.failure(.error(.unreachable("the process has too many open files"))))
    }
  }

  func observeRestarts(_ receive: @escaping @Sendable () -> Void) {}

  func repair() { mailbox?.add { _ in } }

  func ping() -> Promise<Void> {
    command([Array("PING".utf8)], isRepeatable: true).map { _ in }
  }

  func close() -> Promise<Void> {
    guard let mailbox else { return Promise(()) }
    mailbox.close()
    return life.withLock { life in
      if let closing = life.closing { return closing }
      let closing =
        life.isStarted
        ? Promise { continuation in
          mailbox.add {
            $0.isStopping = true
            $0.whenStopped = { continuation.succeed(()) }
          }
        } : Promise(())
      (life.isStarted, life.closing) = (true, closing)
      return closing
    }
  }

  var metrics: RedisMetrics { mailbox?.metrics ?? RedisMetrics() }

  func follow(_ follower: RedisFollower) {
    guard let mailbox, case .success = settings.address else { return }
    if life.withLock({ $0.closing != nil }) { return }
    follower.receive(.ended, ObjectIdentifier(mailbox))
    startThread(mailbox)
    witnesses.add(follower)
    mailbox.add { $0.followers.append(follower) }
  }

  func forgetFollowers() {
    witnesses.forgetReleased()
    mailbox?.add { $0.forgetsFollowers = true }
  }

  /// Returns a random number, which a script stores as the epoch if the server has none.
  func number(of epoch: RedisEpoch, found: UInt64?, by deadline: Int64) -> Promise<UInt64> {
    Promise(RedisEpoch.random())
  }

  func scriptKeys(_ name: [UInt8], _ epoch: RedisEpoch) -> [[UInt8]] { [name, epoch.key] }

  private func startThread(_ mailbox: RedisMailbox) {
    let isFirst = life.withLock { life in
      defer { life.isStarted = true }
      return !life.isStarted
    }
    guard isFirst else { return }
    let thread = Thread { [settings, journal] in RedisLoop(settings, mailbox, journal).run() }
    thread.name = "strata.redis"
    thread.start()
  }
}
