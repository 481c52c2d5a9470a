import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Hands what a session tells to the transfer it is about.
///
/// One delegate for all tasks: on Linux the delegate of a single task is not called. Nothing here
/// may wait for the session, see `NetworkQueue`. It does not answer authentication challenges: a
/// status 401 has ended the transfer by then, and TLS is left to the platform.
final class NetworkDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private let transfers = Lock<[Int: NetworkTransfer]>([:])

  /// The number of transfers under way.
  var count: Int { transfers.withLock { $0.count } }

  func add(_ transfer: NetworkTransfer, for task: URLSessionTask) {
    transfers.withLock { $0[task.taskIdentifier] = transfer }
  }

  /// Returns the transfer, so that its release, if it is the last, is not under the lock.
  @discardableResult
  func remove(_ task: URLSessionTask) -> NetworkTransfer? {
    transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
  }

  private func transfer(of task: URLSessionTask) -> NetworkTransfer? {
    transfers.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    transfer(of: dataTask)?.receive(response)
    completionHandler(.allow)  // A refused response has cancelled its task; Linux ignores this.
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    transfer(of: dataTask)?.receive(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    transfer(of: task)?.redirect(response, to: request)
    #if !canImport(FoundationNetworking)
      completionHandler(nil)  // Wanted by Apple; on Linux an answer after a cancel is fatal.
    #endif
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    remove(task)?.finish(task.response, error: error)
  }
}
