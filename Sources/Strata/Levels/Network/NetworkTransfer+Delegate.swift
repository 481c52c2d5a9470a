import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension NetworkTransfer /* : what its delegate tells it */ {
  func receive(_ response: URLResponse) {
    let refusal = state.withLock { $0.body.begin(response, maximumSize: limits.maximumSize) }
    if let refusal { fail(refusal, response as? HTTPURLResponse) }
  }

  func receive(_ data: Data) {
    let refusal = state.withLock { state -> NetworkError.Reason? in
      guard state.completion != nil else { return nil }
      return state.body.append(data, maximumSize: limits.maximumSize)
    }
    if let refusal { fail(refusal) }
  }

  /// Follows with a task of its own.
  ///
  /// On Linux a task that is told to go on ends the process if it has been cancelled meanwhile, and
  /// over HTTP/2 in any case (swift-corelibs-foundation 5445); so this one is never told.
  func redirect(_ response: HTTPURLResponse, to proposed: URLRequest) {
    let request: URLRequest
    do throws(NetworkError) {
      request = try NetworkRequest.following(response, from: url, proposed: proposed)
    } catch {
      return settle(.failure(error))
    }
    let left = state.withLock { $0.leaveTask() }
    guard let (task, lane) = left else {
      return fail(.tooManyRedirects(maximum: NetworkRequest.maximumRedirects), response)
    }
    lane.delegate.remove(task)
    lane.control.async {
      lane.cancel(task)
      self.send(request, on: lane)
    }
  }

  func finish(_ response: URLResponse?, error: (any Error)?) {
    let lane = state.withLock { state in
      state.task = nil
      return state.lane.take()
    }
    if let error { return fail(.transport(error), response as? HTTPURLResponse) }
    // Unless it ended before: what a lane still has to do for a transfer that was cancelled, and
    // what its origin still sends, the next one need not share.
    if let lane, let url = response?.url { session.keep(lane, for: url) }
    let body = state.withLock { $0.body }
    if let refusal = body.refusal(atEnd: response) {
      fail(refusal, response as? HTTPURLResponse)
    } else {
      settle(.success(body.data))
    }
  }
}

extension NetworkTransfer.State {
  /// Gives up the task for the one of the next redirect, if there may be one more.
  fileprivate mutating func leaveTask() -> (URLSessionDataTask, NetworkLane)? {
    redirects += 1
    guard redirects <= NetworkRequest.maximumRedirects, let lane, let task else { return nil }
    self.task = nil
    return (task, lane)
  }
}
