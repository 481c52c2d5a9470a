import Foundation

/// The function and the arguments of one call, which together are the key of its result.
///
/// Two calls are equal if they belong to the same function and have equal arguments. For a level
/// whose keys have another type, use a key map, which can read the arguments or the text:
///
///     let user = memoized(named: "user", in: { "\($0.arguments)" } <^> .memory()) { (id: Int) in
///       try await api.user(id)
///     }
public struct MemoizedCall<each Argument: Hashable & Sendable>: Hashable, Sendable {
  let function: MemoizedFunction
  /// The arguments, as a tuple.
  public let arguments: (repeat each Argument)

  init(function: MemoizedFunction, _ arguments: repeat each Argument) {
    self.function = function
    self.arguments = (repeat each arguments)
  }

  /// Whether two calls belong to the same function and have equal arguments.
  public static func == (left: MemoizedCall, right: MemoizedCall) -> Bool {
    guard left.function == right.function else { return false }
    for (left, right) in repeat (each left.arguments, each right.arguments) {
      guard left == right else { return false }
    }
    return true
  }

  /// Hashes the function and the arguments.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(function)
    repeat hasher.combine(each arguments)
  }
}

extension MemoizedCall: Encodable where repeat each Argument: Encodable {
  /// Encodes an array of the function's name and the arguments. If the function has no name, the
  /// first element is an array that contains an identifier, which no other function has.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    if let name = function.name {
      try container.encode(name)
    } else {
      try container.encode([function.id])
    }
    repeat try container.encode(each arguments)
  }

  /// Returns the call as a line of JSON, such as `["user",7,"en"]`.
  ///
  /// Calls of one function have different texts if the encodings of their arguments differ. So the
  /// encoding of an argument must contain everything that the `==` of its type compares. An infinite
  /// number has the same text as the string `inf` or `-inf`, and NaN the same as `nan`.
  ///
  /// - Throws: ``CacheError/unencodable(by:reason:)`` if an argument can't be encoded.
  public func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      try EncodingDepth.check(self, userInfo: encoder.userInfo)
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    } catch { throw unencodable(by: "call", error) }
  }
}

/// The identity of a memoized function: its name, or an identifier that no other function has.
final class MemoizedFunction: Hashable, Sendable {
  let name: String?
  let id: String
  /// The hash of `id`, computed only once, because hashing text in each call would make hits
  /// slower.
  private let hash: Int

  init(named name: String) {
    (self.name, id, hash) = (name, name, name.hashValue)
  }

  init() {
    let id = UUID().uuidString
    (name, self.id, hash) = (nil, id, id.hashValue)
  }

  static func == (left: MemoizedFunction, right: MemoizedFunction) -> Bool {
    if left === right { return true }
    guard let name = left.name, let other = right.name else { return false }
    return name == other
  }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
