import Foundation

/// Passes the events of a session's tasks to the receivers of the responses.
///
/// All tasks share one delegate, because `URLSession` on Linux doesn't call the delegates of
/// individual tasks.
final class URLSessionExchanges: NSObject, URLSessionDataDelegate, Sendable {
  private struct Exchange {
    let receiver: any ResponseReceiver
    var hasHead = false
  }

  private let exchanges = Lock<[Int: Exchange]>([:])

  func add(_ receiver: any ResponseReceiver, for task: URLSessionTask) {
    exchanges.withLock { $0[task.taskIdentifier] = Exchange(receiver: receiver) }
  }

  /// Removes and returns a task's receiver, so the receiver is released after unlocking.
  @discardableResult
  func remove(_ task: URLSessionTask) -> (any ResponseReceiver)? {
    exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier)?.receiver }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    receive(response, for: dataTask, of: session)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let receiver = exchanges.withLock { $0[dataTask.taskIdentifier]?.receiver }
    guard let receiver else { return }
    if !data.withUnsafeBytes(receiver.receive) { stop(dataTask, of: session) }
  }

  /// Treats a redirect as the response instead of following it. On Linux, calling the completion
  /// handler can crash the process. So on Linux, this function cancels the task without reading the
  /// redirect's body.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    if URLLoading.isCorelibs {
      finishWithoutBody(response, task, of: session)
    } else {
      completionHandler(nil)
    }
  }

  /// Finishes a task. On Linux, this is the only delegate function that `URLSession` calls for a
  /// redirect without a target.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let hasHead = exchanges.withLock { $0[task.taskIdentifier]?.hasHead ?? true }
    if !hasHead, error == nil, let response = task.response {
      receive(response, for: task, of: session)
    }
    remove(task)?.finish(error)
  }

  /// Receives a response. On Linux, `URLSession` also reports interim responses, which this
  /// function ignores. It also drops the body of a response with status 401, because on Linux,
  /// `URLSession` would wait forever for credentials.
  private func receive(_ response: URLResponse, for task: URLSessionTask, of session: URLSession) {
    guard let head = Self.head(response), head.status >= 200 else { return }
    if URLLoading.isCorelibs, head.status == 401 {
      return finishWithoutBody(response, task, of: session)
    }
    let receiver = exchanges.withLock { exchanges in
      exchanges[task.taskIdentifier]?.hasHead = true
      return exchanges[task.taskIdentifier]?.receiver
    }
    if receiver?.receive(head) == false { stop(task, of: session) }
  }

  private func finishWithoutBody(
    _ response: URLResponse, _ task: URLSessionTask, of session: URLSession
  ) {
    guard let receiver = remove(task), var head = Self.head(response) else { return }
    head.fields.remove("Content-Length")
    head.fields.remove("Content-Encoding")
    _ = receiver.receive(head)
    receiver.finish(nil)
    URLLoading.cancel(task, of: session)
  }

  /// Cancels a task whose response the receiver has refused. Its receiver ignores the resulting
  /// error.
  private func stop(_ task: URLSessionTask, of session: URLSession) {
    remove(task)?.finish(URLError(.cancelled))
    URLLoading.cancel(task, of: session)
  }

  /// Returns the head of a response. `URLSession` joins repeated fields with commas and loses the
  /// order of the fields.
  private static func head(_ response: URLResponse?) -> ResponseHead? {
    guard let response = response as? HTTPURLResponse else { return nil }
    var fields = HeaderFields()
    for (name, value) in response.allHeaderFields { fields.append("\(value)", for: "\(name)") }
    return ResponseHead(status: response.statusCode, fields: fields)
  }
}
