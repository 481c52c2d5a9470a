import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request from start to answer: collects the body, keeps the limits, completes once.
///
/// Whoever takes the completion out of the state ends the transfer; all else that may try to end
/// it (the last byte, a cancel, the deadline, a refusal) finds it gone.
final class NetworkTransfer: Sendable {
  typealias Completion = @Sendable (Result<Data, NetworkError>) -> Void

  struct State {
    var completion: Completion?
    var task: URLSessionDataTask?
    var lane: NetworkLane?
    var stopTimer: (@Sendable () -> Void)?
    var body: NetworkBody
    var redirects = 0
  }

  let session: NetworkSession
  let url: URL?
  let limits: (maximumSize: Int, deadline: Duration)
  let state: Lock<State>

  init(
    session: NetworkSession, request: URLRequest,
    limits: (maximumSize: Int, deadline: Duration), completion: @escaping Completion
  ) {
    self.session = session
    self.url = request.url
    self.limits = limits
    let body = NetworkBody(isHead: request.httpMethod == "HEAD")
    state = Lock(State(completion: completion, body: body))
  }

  /// Refuses, or sets the clock and sends.
  func begin(_ request: URLRequest, after: TimeSource.After) {
    guard let permitted = NetworkRequest.permitted(request.url) else {
      return fail(.refusedURL(scheme: request.url?.scheme))
    }
    guard limits.deadline > .zero else { return fail(.deadlinePassed(limits.deadline)) }
    let stop = after(limits.deadline) { [weak self] in
      guard let self else { return }
      fail(.deadlinePassed(limits.deadline))
    }
    guard state.withLock({ $0.keep(stop) }) else { return stop() }
    var request = request
    request.url = permitted
    let lane = session.takeLane(for: permitted)
    lane.control.async { [request] in self.send(request, on: lane) }
  }

  /// Runs on the lane's control queue, as the cancel that may follow does.
  func send(_ request: URLRequest, on lane: NetworkLane) {
    guard state.withLock({ $0.completion != nil }) else { return }
    let task = lane.urlSession.dataTask(with: request)
    lane.delegate.add(self, for: task)
    guard state.withLock({ $0.keep(task, lane) }) else {
      lane.delegate.remove(task)
      return lane.cancel(task)  // One that never ran would stay in the session's table.
    }
    task.resume()
  }

  func fail(_ reason: NetworkError.Reason, _ response: HTTPURLResponse? = nil) {
    let known = state.withLock { $0.body.response }
    settle(.failure(NetworkError(reason, url: url, response: response ?? known)))
  }

  /// Ends the transfer, unless it has ended.
  ///
  /// The completion runs on no queue of the session's: it may start the next transfer, which waits
  /// for the session.
  func settle(_ result: Result<Data, NetworkError>) {
    let ended = state.withLock { state in
      let ended = state
      state = State(completion: nil, body: NetworkBody(isHead: false))
      return ended
    }
    guard let completion = ended.completion else { return }
    ended.stopTimer?()
    if let task = ended.task, let lane = ended.lane {
      lane.delegate.remove(task)
      lane.control.async { lane.cancel(task) }
    }
    DispatchQueue.global().async { completion(result) }
  }
}

extension NetworkTransfer.State {
  /// Keeps what stops the timer, unless the transfer has ended.
  fileprivate mutating func keep(_ stop: @escaping @Sendable () -> Void) -> Bool {
    guard completion != nil else { return false }
    stopTimer = stop
    return true
  }

  /// Keeps the task, unless the transfer has ended.
  fileprivate mutating func keep(_ task: URLSessionDataTask, _ lane: NetworkLane) -> Bool {
    guard completion != nil else { return false }
    self.task = task
    self.lane = lane
    return true
  }
}
