import Foundation
import Strata

/// A connection to one server, which all threads share. Its thread starts with the first request.
final class RedisConnection: Sendable {
  let settings: RedisSettings
  private let mailbox: RedisMailbox?
  private let isStarted = Lock(false)

  init(_ settings: RedisSettings) {
    self.settings = settings
    mailbox = RedisMailbox(limits: settings.limits)
  }

  deinit { mailbox?.add { $0.isStopping = true } }

  /// Sends a request. See ``RedisRequest/Receive`` for the answer.
  ///
  /// - Parameters:
  ///   - form: The request.
  ///   - isRepeatable: Whether the server may receive the request twice.
  ///   - size: The approximate size in bytes.
  func send(
    _ form: RedisRequest.Form, isRepeatable: Bool, size: Int,
    receive: @escaping RedisRequest.Receive
  ) {
    let end = runningNanoseconds().addingReportingOverflow(settings.deadlineNanoseconds)
    var request = RedisRequest(
      form, isRepeatable: isRepeatable, deadline: end.overflow ? .max : end.partialValue,
      size: size + 200, receive: receive)
    if case .failure(let error) = settings.address {
      request.finish(.failure(.error(error)))
    } else if let mailbox {
      startThread(mailbox)
      mailbox.send(request)
    } else {
      request.finish(.failure(.error(.unreachable("the process has too many open files"))))
    }
  }

  /// Sends a command, and returns its reply.
  func command(_ arguments: [[UInt8]], isRepeatable: Bool) -> Promise<RedisReply> {
    Promise { continuation in
      let form = RedisRequest.Form.command { $0.request(arguments) }
      let size = arguments.reduce(0) { $0 + $1.count }
      send(form, isRepeatable: isRepeatable, size: size) { _, answer in
        continuation.settle(answer)
      }
    }
  }

  /// Reports the writes of other clients under a prefix, as long as the connection exists.
  func follow(_ follower: RedisFollower) {
    guard let mailbox, case .success = settings.address else { return }
    startThread(mailbox)
    mailbox.add { $0.followers.append(follower) }
  }

  private func startThread(_ mailbox: RedisMailbox) {
    let isFirst = isStarted.withLock { isStarted in
      defer { isStarted = true }
      return !isStarted
    }
    guard isFirst else { return }
    let thread = Thread { [settings] in RedisLoop(settings, mailbox).run() }
    thread.name = "strata.redis"
    thread.start()
  }
}

extension Promise.Continuation {
  /// Settles with the answer of a server.
  func settle(_ answer: Result<Value, RedisFailure>) {
    switch answer {
    case .success(let value): succeed(value)
    case .failure(.error(let error)): fail(error)
    case .failure(.timedOut): fail(CacheError.timedOut())
    }
  }
}
