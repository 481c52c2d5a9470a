import Foundation

extension Cache where Key == URLRequest {
  /// Gets many requests concurrently, and returns a dictionary of the values found.
  ///
  /// The keys of a dictionary are compared with Foundation's `==`, which ignores the body and the
  /// fields of a request. If two different requests are equal in Foundation, the dictionary omits
  /// both, because it could return the value of one request for the other. Use ``RequestKey`` to get
  /// the values of both.
  @available(
    *, deprecated,
    message: """
      == of URLRequest ignores the body and the fields, so two requests can share an entry of the \
      dictionary: use RequestKey as the key
      """
  )
  public func getSome(_ keys: some Sequence<URLRequest>) -> Promise<[URLRequest: Value]> {
    findEach(unambiguous(keys))
  }

  /// Returns the requests that no other request in the sequence is equal to only in Foundation.
  func unambiguous(_ requests: some Sequence<URLRequest>) -> [URLRequest] {
    var groups: [URLRequest: Set<RequestKey>] = [:]
    let requests = Array(requests)
    for request in requests { groups[request, default: []].insert(RequestKey(request)) }
    return requests.filter { groups[$0]?.count == 1 }
  }
}
