import Foundation

extension Transfer /* : streaming */ {
  func isFull() -> Bool { state.withLock { $0.pipe }?.pausesNow() ?? false }

  func canPause(resuming resume: @escaping @Sendable () -> Void) {
    state.withLock { $0.resume = resume }
  }

  /// Streams the body if the header announces too many bytes, or if the limits require it.
  func streamIfWanted() {
    guard let streams = limits.streams else { return }
    let (response, isLong) = state.withLock { state -> (NetworkResponse?, Bool) in
      guard state.next == nil, state.reader.hasBody else { return (nil, false) }
      return (state.partialResponse, state.reader.announced ?? 0 > limits.size)
    }
    if let response, isLong || streams(response) { stream() }
  }

  /// Delivers the response now, and the rest of its body through a stream.
  func stream() {
    let response = state.withLock { state -> NetworkResponse? in
      guard state.completion != nil, var response = state.partialResponse else { return nil }
      let pipe = BodyPipe(resume: state.resume ?? {})
      _ = pipe.add(state.reader.takeBody())
      state.pipe = pipe
      response.rest = BodyStream(pipe) { [weak self] in self?.stopStream() }
      return response
    }
    if let response { settle(.success(response), isInCallback: true) }
  }

  /// Stops the exchange because the reader has released its stream.
  private func stopStream() {
    let (pipe, cancel) = state.withLock { ($0.pipe.take(), $0.cancelExchange.take()) }
    guard pipe != nil else { return }
    cancel?()
    ended()
  }

  /// Ends the stream, and returns `false` if the body isn't streamed.
  func endStream(_ result: Result<NetworkResponse?, NetworkError.Reason>) -> Bool {
    guard let pipe = state.withLock({ $0.pipe.take() }) else { return false }
    ended()
    if case .failure(let reason) = result {
      pipe.finish(NetworkError(reason, url: url))
    } else {
      pipe.finish(nil)
    }
    return true
  }
}

extension Transfer.State {
  /// Whether the transfer still needs its exchange.
  var isActive: Bool { completion != nil || pipe != nil }
}
