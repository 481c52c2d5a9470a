import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Decides from a response's header what length its body must have.
enum NetworkBodyLength: Equatable {
  /// Not announced, or announced for the encoded bytes while the decoded ones arrive.
  case unknown
  case announced(Int)
  /// Headers that contradict each other or are not numbers, as received.
  case conflicting(String)

  /// Reads every Content-Length of the response.
  ///
  /// Linux joins headers of one spelling with a comma, so a contradiction among them is seen.
  /// Headers spelled in different case reach us as one of them, on Linux and on Apple's platforms:
  /// there a contradiction is seen only by the length of the body. RFC 9110, section 8.6, allows
  /// repetitions of one number.
  init(of response: HTTPURLResponse) {
    let lengths = Self.values(of: "content-length", in: response)
    guard let first = lengths.first else {
      self = .unknown
      return
    }
    guard Set(lengths).count == 1, let length = Self.number(first) else {
      self = .conflicting(lengths.joined(separator: ", "))
      return
    }
    self = Self.isEncoded(response) ? .unknown : .announced(length)
  }

  /// The announced length of the bytes on the wire, encoded or not.
  ///
  /// A body that is longer than the limit before it is decoded is too long after it.
  static func onTheWire(_ response: HTTPURLResponse) -> Int? {
    values(of: "content-length", in: response).first.flatMap(number)
  }

  /// Digits alone: `Int("+5")` would accept what RFC 9110 does not.
  private static func number(_ text: String) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }

  private static func isEncoded(_ response: HTTPURLResponse) -> Bool {
    values(of: "content-encoding", in: response).contains { $0.lowercased() != "identity" }
  }

  private static func values(of name: String, in response: HTTPURLResponse) -> [String] {
    response.allHeaderFields.flatMap { field -> [String] in
      guard let key = field.key as? String, key.lowercased() == name else { return [] }
      let parts = "\(field.value)".split(separator: ",", omittingEmptySubsequences: false)
      return parts.map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }
}
