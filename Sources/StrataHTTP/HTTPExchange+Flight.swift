import Foundation
import Strata

extension HTTPExchange {
  /// Forwards the request. If another request for the same response is in flight, this function
  /// waits for that request and then reads the store again.
  ///
  /// The store may then show that the response doesn't fit this request, for example because it's
  /// another variant. The waiting requests then form new flights, one for each variant. A request
  /// that has waited doesn't wait for the same flight again, nor for a validation of the response
  /// that it has waited for.
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
    switch cache.active.join(flight, canLead: head.method == "GET" || stored != nil, at: now) {
    case .alone: return forward(stored, reason)
    case .leader: return ending(flight) { forward(stored, reason) }
    case .waiter(let leader):
      return leader.flatMap { end in
        var next = self
        next.isCollapsed = true
        switch end {
        case .retry: return next.retrieve()
        case .answered: break
        case .failed(let error): return try next.recover(error, stored, reason)
        case .refused(let response, let fields):
          if let answer = next.refused(by: response, to: fields, stored, reason) {
            return Promise(answer)
          }
        }
        next.waitedFor.append(flight)
        return next.retrieve()
      }
    }
  }

  /// Validates a stored response in the background, unless another request is already validating
  /// it.
  func revalidate(_ stored: StoredResponse) {
    guard !cache.isOffline(url) else { return }
    let flight = flight(stored, [])
    let role = cache.active.join(flight, canLead: true, at: cache.clock.now())
    if case .waiter = role { return }
    guard case .leader = role else { return _ = forward(stored, .stale) }
    _ = ending(flight) { forward(stored, .stale) }
  }

  /// Runs the request of a leader, and ends the flight when the request ends.
  private func ending(
    _ flight: String, _ work: () -> Promise<HTTPAnswer>
  ) -> Promise<HTTPAnswer> {
    let (active, fields) = (cache.active, head.fields)
    let ticket = active.enter(key)
    let result = work()
    result.observed { outcome in
      let isOvertaken = !active.isValid(ticket)
      active.leave(ticket)
      active.end(flight, isOvertaken ? .retry : ActiveKeys.End(outcome, to: fields))
    }
    return result
  }

  /// The name of the flight of all requests that the same response can answer.
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

  /// Answers a waiting request with the error that the origin has sent to the leader, or with a
  /// stale response. Returns `nil` if the error doesn't fit the request.
  private func refused(
    by response: HTTPResponse, to fields: HTTPFields, _ stored: StoredResponse?,
    _ reason: HTTPCacheStatus.Forward
  ) -> HTTPAnswer? {
    if let stored, let answer = stale(stored, .status(response.status), reason) { return answer }
    guard !policy.directives(of: response.fields).control.contains("no-store"),
      Vary.selecting(response.fields, fields) == Vary.selecting(response.fields, head.fields)
    else { return nil }
    var status = HTTPCacheStatus(.miss, forward: reason, forwardStatus: response.status)
    status.isCollapsed = true
    var response = response
    if head.method == "HEAD" { response.body = Data() }
    return answer(response, status, validity: nil)
  }
}

extension ActiveKeys.End {
  /// - Parameter fields: The fields of the leader's request.
  fileprivate init(_ outcome: Promise<HTTPAnswer>.Outcome, to fields: HTTPFields) {
    switch outcome {
    case .cancelled: self = .retry
    case .failure(let error): self = error.concernsOneRequest ? .retry : .failed(error)
    case .success(let answer):
      if let error = answer.failure {
        self = .failed(error)
      } else {
        let response = answer.refusal ?? answer.response
        let isError =
          HTTPStatus.isFailureForAll(response.status) && response.rest == nil
          && !answer.status.isStored
        self = isError ? .refused(response, to: fields) : .answered
      }
    }
  }
}

extension Error {
  /// Whether the error is the fault of a request, so that another request can succeed.
  fileprivate var concernsOneRequest: Bool {
    switch (self as? NetworkError)?.reason {
    case .refusedURL, .refusedRequest, .cancelled: true
    default: false
    }
  }
}
