import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The body of an answer while it arrives, and the rules by which it is refused.
struct NetworkBody {
  /// Whether the method was HEAD, whose answer announces a body that does not come.
  let isHead: Bool
  private(set) var response: HTTPURLResponse?
  private(set) var data = Data()

  /// Takes the header; returns why nothing more is wanted, if so.
  mutating func begin(_ response: URLResponse, maximumSize: Int) -> NetworkError.Reason? {
    guard let response = response as? HTTPURLResponse else { return .notHTTP }
    // Linux also tells of interim answers (100, 103): the final one follows.
    guard response.statusCode >= 200 else { return nil }
    self.response = response
    if let refusal = Self.refusal(of: response) { return refusal }
    guard !isHead, let announced = NetworkBodyLength.onTheWire(response) else { return nil }
    guard announced <= maximumSize else { return .tooLarge(maximum: maximumSize) }
    // No more than a hint: an origin may announce much and send nothing.
    data.reserveCapacity(min(announced, 1 << 20))
    return nil
  }

  /// Takes a piece; returns why nothing more is wanted, if so.
  mutating func append(_ piece: Data, maximumSize: Int) -> NetworkError.Reason? {
    guard data.count + piece.count <= maximumSize else { return .tooLarge(maximum: maximumSize) }
    data.append(piece)
    return nil
  }

  /// Says why the body is not a whole one, if so.
  ///
  /// The response is looked at again: Linux does not tell of a redirect without a target before
  /// the end.
  func refusal(atEnd final: URLResponse?) -> NetworkError.Reason? {
    guard let final = final as? HTTPURLResponse else { return .notHTTP }
    if let refusal = Self.refusal(of: final) { return refusal }
    guard !isHead, case .announced(let announced) = NetworkBodyLength(of: final),
      announced != data.count
    else { return nil }
    return .incompleteBody(received: data.count, announced: announced)
  }

  /// 204 has no body and 206 a part of one; every other 2xx may be kept.
  private static func refusal(of response: HTTPURLResponse) -> NetworkError.Reason? {
    let status = response.statusCode
    guard (200..<300).contains(status), status != 204, status != 206 else {
      return .status(status)
    }
    guard case .conflicting(let lengths) = NetworkBodyLength(of: response) else { return nil }
    return .conflictingLengths(lengths)
  }
}
