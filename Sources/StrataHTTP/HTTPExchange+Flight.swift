import Foundation
import StrataNetwork

extension HTTPExchange {
  /// Forwards the request. When another request for the same response is in flight, waits for it
  /// instead, and then reads the store again.
  ///
  /// The response in the store may not fit this request, for example because it's another variant.
  /// Then the waiting requests form new flights, one for each variant. But a request waits for the
  /// same flight only once. And when it has waited for a response, it doesn't wait for the
  /// validation of this response as well.
  ///
  /// - Parameter names: The names of the fields that select among the stored responses.
  func lead(
    _ stored: StoredResponse?, _ reason: HTTPCacheStatus.Forward, selectedBy names: Set<String>
  ) -> Promise<HTTPAnswer> {
    let (flight, now) = (flight(stored, names), cache.clock.now())
    let isUseless = waitedFor.contains(flight) || stored != nil && !waitedFor.isEmpty
    guard !isUseless else {
      cache.active.avoid(flight, at: now)
      return forward(stored, reason)
    }
    let canLead = head.method == "GET" || stored != nil
    switch cache.active.join(flight, canLead: canLead, at: now, priority: priority) {
    case .alone: return forward(stored, reason)
    case .leader: return ending(flight) { forward(stored, reason) }
    case .waiter(let leader):
      return leader.flatMap { try proceed(after: $0, of: flight, stored, reason) }
    }
  }

  /// Continues a request that has waited for a leader.
  private func proceed(
    after end: ActiveKeys.End, of flight: String, _ stored: StoredResponse?,
    _ reason: HTTPCacheStatus.Forward
  ) throws -> Promise<HTTPAnswer> {
    var next = self
    next.isCollapsed = true
    switch end {
    case .retry: return next.retrieve()
    case .answered(let leader): return next.retrieve(after: leader, of: flight)
    case .failed(let error, let leader):
      if outlasts(leader, error) { return next.retrieve() }
      return try next.recover(error, stored, reason)
    case .refused(let response, let leader):
      return next.refused(by: response, to: leader, stored, reason).map { Promise($0) }
        ?? next.retrieve(after: leader, of: flight)
    }
  }

  /// Reads the store again. After waiting for a HEAD, a GET may wait again, because the response to
  /// a HEAD has no body to store.
  private func retrieve(after leader: HTTPExchange, of flight: String) -> Promise<HTTPAnswer> {
    var next = self
    if leader.head.method == "GET" || head.method == "HEAD" { next.waitedFor.append(flight) }
    return next.retrieve()
  }

  /// Whether the leader failed because of its own deadline, and this request has a later one.
  private func outlasts(_ leader: HTTPExchange, _ error: any Error) -> Bool {
    guard case .deadlinePassed(let limit) = (error as? NetworkError)?.reason,
      leader.deadline == limit
    else { return false }
    return deadline.map { $0 > limit } ?? true
  }

  /// The deadline that the caller has set, or `nil` if only the origin's applies.
  private var deadline: Duration? { try? RequestSettings.deadline(request.timeoutInterval) }

  /// Validates a stored response in the background, unless another request is already validating
  /// it.
  func revalidate(_ stored: StoredResponse) {
    guard isExact, !cache.isOffline(url) else { return }
    let (flight, now) = (flight(stored, []), cache.clock.now())
    let role = cache.active.join(flight, canLead: true, isBackground: true, at: now)
    guard case .leader = role else { return }
    _ = ending(flight) { forward(stored, .stale) }
  }

  /// Runs the request of a leader. When it ends, ends the flight.
  private func ending(
    _ flight: String, _ work: () -> Promise<HTTPAnswer>
  ) -> Promise<HTTPAnswer> {
    let active = cache.active
    let ticket = active.enter(key)
    let result = work()
    cache.work.follow(result)
    if result.outcome == nil { active.lead(flight) { result.raise(to: $0) } }
    result.observed { outcome in
      let isOvertaken = !active.isValid(ticket)
      active.leave(ticket)
      active.end(flight, isOvertaken ? .retry : ActiveKeys.End(outcome, of: self))
    }
    return result
  }

  /// The name of this request's flight. Requests have the same one if the same response can answer
  /// them.
  private func flight(_ stored: StoredResponse?, _ names: Set<String>) -> String {
    let own =
      stored?.selecting
      ?? names.sorted().map {
        SelectingField(name: $0, value: Vary.value(of: $0, in: head.fields))
      }
    let place = head.reader.isEmpty ? key : StoreKey.variant(key, head.reader)
    let flight = own.isEmpty ? place : StoreKey.variant(place, own)
    return stored == nil ? flight : "\(flight)\nvalidation"
  }

  /// Answers a waiting request with a stale response, or with the error response that the leader
  /// has received. Returns `nil` if that doesn't fit this request, or if the rules forbid answering
  /// one client with the response to another.
  private func refused(
    by response: NetworkResponse, to leader: HTTPExchange, _ stored: StoredResponse?,
    _ reason: HTTPCacheStatus.Forward
  ) -> HTTPAnswer? {
    if let stored, let answer = stale(stored, .status(response.status), reason) { return answer }
    // A 429 can't be stored, because it concerns the rate of requests. But the waiting requests
    // count toward the same rate, so they share it.
    var judged = response
    if response.status == 429 { judged.status = 503 }
    guard leader.head.method == "GET" || head.method == "HEAD",
      [nil, .unspecified].contains(policy.refusal(to: judged, for: leader.head.asGet)),
      [[], head.reader].contains(policy.reader(of: response, to: leader.head)),
      Vary.selecting(response.fields, leader.head.fields)
        == Vary.selecting(response.fields, head.fields)
    else { return nil }
    var status = HTTPCacheStatus(.miss, forward: reason, forwardStatus: response.status)
    status.isCollapsed = true
    var response = response
    if head.method == "HEAD" { response.body = Data() }
    return answer(response, status, validity: nil)
  }
}

extension ActiveKeys.End {
  fileprivate init(_ outcome: Promise<HTTPAnswer>.Outcome, of leader: HTTPExchange) {
    switch outcome {
    case .cancelled: self = .retry
    case .failure(let error): self = error.concernsOneRequest ? .retry : .failed(error, leader)
    case .success(let answer):
      if let error = answer.failure {
        self = .failed(error, leader)
      } else {
        let response = answer.refusal ?? answer.response
        let isError =
          HTTPStatus.isFailureForAll(response.status) && response.rest == nil
          && !answer.status.isStored
        self = isError ? .refused(response, leader) : .answered(leader)
      }
    }
  }
}

extension Error {
  /// Whether the error concerns only one request, so another one may succeed.
  fileprivate var concernsOneRequest: Bool {
    switch (self as? NetworkError)?.reason {
    case .refusedURL, .refusedRequest, .cancelled: true
    default: false
    }
  }
}
