import Foundation
import StrataCore
import Synchronization

/// A connection to one server, shared by all threads. It has a thread of its own, which starts with
/// the first request or follower.
final class RedisConnection: RedisClient {
  let settings: RedisSettings
  let journal = RedisJournal()
  let witnesses = RedisWitnesses()
  var sizes: RedisSizes { settings.sizes }
  var keepsOrder: Bool { true }
  private let mailbox: RedisMailbox?
  /// The error with which all requests fail, if the address is invalid.
  private let fault: RedisError?
  private let isStarted = Atomic(false)
  /// A promise that succeeds when the thread has ended. Before a call of `close()`, it's `nil`.
  private let closing = Lock<Promise<Void>?>(nil)

  init(_ settings: RedisSettings) {
    self.settings = settings
    mailbox = RedisMailbox(limits: settings.limits)
    fault = if case .failure(let error) = settings.address { error } else { nil }
  }

  deinit { mailbox?.add { $0.isStopping = true } }

  /// The address, without the user name or the password.
  var description: String { settings.label }

  func send(_ request: RedisRequest) {
    if let fault {
      request.finish(.failure(.error(fault)))
    } else if let mailbox {
      startThread(mailbox)
      mailbox.send(request)
    } else {
      request.finish(.failure(.error(.unreachable("the process has too many open files"))))
    }
  }

  func observeRestarts(_ level: RedisStore) {}

  func repair() { mailbox?.add { _ in } }

  func ping() -> Promise<Void> {
    command([Array("PING".utf8)], isRepeatable: true).map { _ in }
  }

  func close() -> Promise<Void> {
    guard let mailbox else { return Promise(()) }
    mailbox.close()
    return self.closing.withLock { earlier in
      if let earlier { return earlier }
      let closing =
        isStarted.exchange(true, ordering: .acquiringAndReleasing)
        ? Promise { continuation in
          mailbox.add {
            $0.isStopping = true
            $0.whenStopped = { continuation.succeed(()) }
          }
        }.flatMap { [sentinels = settings.sentinels] in sentinels?.close() ?? Promise(()) }
        : Promise(())
      earlier = closing
      return closing
    }
  }

  var metrics: RedisMetrics { mailbox?.metrics ?? RedisMetrics() }

  func follow(_ follower: RedisFollower) {
    guard let mailbox, fault == nil else { return }
    if closing.withLock({ $0 != nil }) { return }
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
    guard !isStarted.load(ordering: .relaxed),
      !isStarted.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    let thread = Thread { [settings, journal] in RedisLoop(settings, mailbox, journal).run() }
    thread.name = "strata.redis"
    thread.start()
  }
}
