import Dispatch
import Foundation

/// One get of the network level: its request, all redirects, and the response.
///
/// Transfers end with a response, a failure, a cancellation, or at their deadline. Only the first
/// of these events has an effect, because it removes the completion closure from the state.
final class Transfer: ResponseReceiver {
  typealias Completion = @Sendable (Result<NetworkResponse, NetworkError>) -> Void

  /// The limits of a transfer.
  struct Limits: Sendable {
    /// The maximum size of the decoded body in bytes.
    var size: Int
    var deadline: Duration
    /// The maximum number of redirects. Zero means that a redirect is the final response.
    var redirects: Int
    /// Returns whether to stream the body of a response. If this closure isn't `nil`, every body
    /// that is longer than `size` is streamed as well. When it's `nil`, all bodies are buffered.
    var streams: (@Sendable (NetworkResponse) -> Bool)?

    fileprivate var bufferSize: Int { streams == nil ? size : .max }
  }

  /// `State` is a class, because a struct would be copied and moved, which would increase the size
  /// of the compiled code.
  final class State {
    var completion: Completion?
    var request: OutgoingRequest
    let identifying: [String]
    var reader: ResponseReader
    var hops: [NetworkResponse.Hop] = []
    var next: OutgoingRequest?
    var discarded = 0
    /// The number of exchanges that have ended. The transport may end one before `send` returns.
    var ends = 0
    var refusal: NetworkError.Reason?
    /// The pipe of a streamed body. Its reading end is in the response, which has already been
    /// delivered.
    var pipe: BodyPipe?
    var resume: (@Sendable () -> Void)?
    var requestTime: TimeSource.Instant
    var responseTime: TimeSource.Instant
    var cancelExchange: (@Sendable () -> Void)?
    var stopTimer: (@Sendable () -> Void)?

    init(
      _ request: OutgoingRequest, identifying: [String], _ reader: ResponseReader,
      at now: TimeSource.Instant, completion: @escaping Completion
    ) {
      (self.request, self.identifying) = (request, identifying)
      (self.reader, self.completion) = (reader, completion)
      (requestTime, responseTime) = (now, now)
    }
  }

  private let session: NetworkSession
  let limits: Limits
  private let clock: TimeSource
  /// The requested URL with its credentials, for use in errors.
  let url: URL?
  let state: Lock<State>

  init(
    _ request: OutgoingRequest, url: URL?, session: NetworkSession, limits: Limits,
    clock: TimeSource, completion: @escaping Completion
  ) {
    (self.session, self.limits, self.clock, self.url) = (session, limits, clock, url)
    state = Lock(
      State(
        request, identifying: session.identifyingFields,
        session.reader(for: request, maximumSize: limits.bufferSize), at: clock.now(),
        completion: completion))
  }

  /// Starts the timer and sends the first request.
  func begin() {
    guard limits.deadline > .zero else { return fail(.deadlinePassed(limits.deadline)) }
    // The timer retains this transfer until it settles. A weak reference would slow down each use.
    let stop = clock.after(limits.deadline) { [self] in fail(.deadlinePassed(limits.deadline)) }
    let isRunning = state.withLock { state in
      if state.completion != nil { state.stopTimer = stop }
      return state.completion != nil
    }
    guard isRunning else { return stop() }
    send(state.withLock { $0.request }, hop: 0)
  }

  /// Ends the transfer without a response.
  func cancel() { fail(.cancelled) }

  /// Sends a request, and stores a closure that cancels it. When the transfer has already followed
  /// a redirect and sent the next request, the function doesn't store the closure.
  private func send(_ request: OutgoingRequest, hop: Int) {
    let cancel = session.transport.send(request, to: self)
    let mustCancel = state.withLock { state in
      guard state.isActive else { return state.ends == hop }
      if state.hops.count == hop { state.cancelExchange = cancel }
      return false
    }
    if mustCancel { cancel() }
  }

  /// Called once, after the response or the stream of its body has ended.
  func ended() { session.running.remove(self) }

  // `@inline(never)` prevents the compiler from inlining the functions below into each caller.

  @inline(never)
  func receive(_ head: ResponseHead) -> Bool {
    let now = clock.now()
    let isAccepted = state.withLock { state in
      guard state.completion != nil else { return false }
      state.responseTime = now
      do throws(NetworkError.Reason) {
        if limits.redirects > 0 {
          state.next = try Redirect.following(
            head, of: state.request, secretFields: session.secretFields)
        }
        try state.reader.begin(head)
        return true
      } catch {
        state.refusal = error
        return false
      }
    }
    if isAccepted { streamIfWanted() }
    return isAccepted
  }

  @inline(never)
  func receive(_ piece: UnsafeRawBufferPointer) -> Bool {
    let (isAccepted, isLong) = state.withLock { state -> (Bool, Bool) in
      guard state.isActive, state.refusal == nil else { return (false, false) }
      if state.next != nil {
        state.discarded += piece.count
        return (state.discarded <= Redirect.maximumBody, false)
      }
      do throws(NetworkError.Reason) {
        try state.reader.append(piece)
        guard let pipe = state.pipe else { return (true, state.reader.size > limits.size) }
        guard pipe.add(state.reader.takeBody()) else { throw .tooLarge(maximum: BodyPipe.maximum) }
        return (true, false)
      } catch {
        state.refusal = error
        return (false, false)
      }
    }
    if isLong { stream() }
    return isAccepted
  }

  @inline(never)
  func finish(_ error: (any Error)?) {
    let result = state.withLock { state -> Result<NetworkResponse?, NetworkError.Reason> in
      state.ends += 1
      if let refusal = state.refusal { return .failure(refusal) }
      if state.next != nil { return .success(nil) }
      if let error { return .failure(error as? NetworkError.Reason ?? .transport(error)) }
      return Result { () throws(NetworkError.Reason) in try state.response() }
    }
    if endStream(result) { return }
    switch result {
    case .success(let response?): settle(.success(response))
    case .success(nil): follow()
    case .failure(let reason): fail(reason)
    }
  }

  /// Sends the next request after a redirect.
  private func follow() {
    let now = clock.now()
    let following = state.withLock { state -> (OutgoingRequest, Int)? in
      guard let next = state.next.take(), state.hops.count < limits.redirects else { return nil }
      state.hops.append(NetworkResponse.Hop(method: next.method, url: next.url))
      state.request = next
      state.reader = session.reader(for: next, maximumSize: limits.bufferSize)
      (state.discarded, state.cancelExchange, state.requestTime) = (0, nil, now)
      return (next, state.hops.count)
    }
    guard let (request, hop) = following else {
      return fail(.tooManyRedirects(maximum: limits.redirects))
    }
    send(request, hop: hop)
  }

  private func fail(_ reason: NetworkError.Reason) {
    let (response, hops) = state.withLock { ($0.partialResponse, $0.hops) }
    var error = NetworkError(reason, url: url, response: response)
    error.hops = hops
    settle(.failure(error))
  }

  /// Completes the transfer.
  ///
  /// - Parameter isInCallback: Whether the transport has called this transfer, and may hold a lock.
  ///   Then the completion closure is called on a global dispatch queue.
  func settle(_ result: Result<NetworkResponse, NetworkError>, isInCallback: Bool = false) {
    let end = state.withLock { $0.end() }
    guard let completion = end.completion else { return }
    if !end.isStreamed { ended() }
    end.stopTimer?()
    if case .failure = result { end.cancelExchange?() }
    guard isInCallback else { return completion(result) }
    DispatchQueue.global().async { completion(result) }
  }
}

extension Transfer.State {
  /// What remains to be called after a transfer has settled. A tuple, or `take()`, would wrap each
  /// closure in another one on the heap.
  fileprivate struct End {
    let completion: Transfer.Completion?
    let stopTimer, cancelExchange: (@Sendable () -> Void)?
    let isStreamed: Bool
  }

  fileprivate func end() -> End {
    let isStreamed = pipe != nil
    let end = End(
      completion: completion, stopTimer: stopTimer,
      cancelExchange: isStreamed ? nil : cancelExchange, isStreamed: isStreamed)
    (completion, stopTimer) = (nil, nil)
    if !isStreamed { cancelExchange = nil }
    return end
  }

  /// The complete response.
  fileprivate func response() throws(NetworkError.Reason) -> NetworkResponse {
    guard var response = partialResponse else { throw .malformedResponse("it has no header") }
    response.body = try reader.finish()
    return response
  }

  /// The response without its body, or `nil` if no header has arrived.
  var partialResponse: NetworkResponse? {
    reader.head.map { head in
      var response = NetworkResponse(
        status: head.status, fields: head.fields, url: request.url, requestTime: requestTime,
        responseTime: responseTime)
      response.interim = head.interim
      response.hops = hops
      // A body can be large, and no cache needs it.
      let sent = request.withoutBody
      response.sent = SentRequest(sent.urlRequest, identifying: identifying)
      return response
    }
  }
}
