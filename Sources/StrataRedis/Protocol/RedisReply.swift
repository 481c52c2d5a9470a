import Foundation

/// A reply from a server: a value of any type in version 3 of the Redis protocol (RESP3), which
/// includes the types of RESP2.
enum RedisReply: Sendable, Equatable {
  /// A short string, such as `OK`.
  case text([UInt8])
  /// An error: a code in capital letters, a space, and a message.
  case failure([UInt8])
  case integer(Int64)
  /// Bytes of any length. From a verbatim string, the parser removes the prefix that states its
  /// format.
  case bytes(Data)
  case null
  case double(Double)
  case boolean(Bool)
  /// An integer of any size, in decimal digits.
  case number([UInt8])
  /// An array or a set.
  case list([RedisReply])
  /// A map, with alternating keys and values.
  case map([RedisReply])
  /// A message that isn't a reply to a request.
  case push([RedisReply])

  static let ok = RedisReply.text(Array("OK".utf8))

  /// The contents of `text` or `bytes`, or `nil` for any other reply.
  var data: Data? {
    switch self {
    case .bytes(let data): data
    case .text(let text): Data(text)
    default: nil
    }
  }

  /// The contents of `text` or `bytes` as a string, in which replacement characters stand for
  /// invalid UTF-8.
  var string: String? { data.map { String(decoding: $0, as: UTF8.self) } }

  /// The elements of a list, a map, or a push message.
  var elements: [RedisReply]? {
    switch self {
    case .list(let elements), .map(let elements), .push(let elements): elements
    default: nil
    }
  }

  /// The value for a key in a map, or in the list that a server without RESP3 sends instead.
  subscript(key: String) -> RedisReply? {
    guard let elements else { return nil }
    return stride(from: 0, to: elements.count - 1, by: 2)
      .first { elements[$0].string == key }.map { elements[$0 + 1] }
  }
}
