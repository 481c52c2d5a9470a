import Foundation

/// A failure of a Redis level. When a get of a Redis level fails, a sum reads from the next level.
///
/// Errors never contain a user name or a password.
public enum RedisError: LocalizedError, Equatable, CustomStringConvertible {
  /// The address of the server is invalid. The associated text is the reason.
  case invalidAddress(String)
  /// The client can't reach the server, for the reason in the associated text. It tries again in
  /// the background. Until an attempt succeeds, requests fail immediately.
  case unreachable(String)
  /// The connection ended while the request was in flight, for the reason in the associated text.
  /// When the request was a write, it may have taken effect.
  case connectionLost(String)
  /// The server refused the user name or the password, or doesn't have the requested database.
  case refused(String)
  /// TLS failed. The associated text states the cause and the remedy.
  case tls(String)
  /// The program has closed the client with `close()`.
  case closed
  /// Too many requests are waiting or in flight, or they take too much memory.
  case queueFull(limit: Int)
  /// The value is larger than the limit of the level. Both sizes are in bytes.
  case valueTooLarge(bytes: Int, limit: Int)
  /// The server refused a back-fill: another write to the key took effect first, or the lease of
  /// the back-fill was no longer valid. So the value on the server hasn't changed.
  case overtaken
  /// A memory level with `following` didn't store a value, because Redis wouldn't report the next
  /// write of its key. The associated text is the reason.
  case unconfirmed(String)
  /// The stored bytes are damaged, or another program wrote them.
  case damaged
  /// The server sent data that isn't valid RESP.
  case protocolViolation(String)
  /// The server returned an error with a code, such as `OOM`, and a message.
  case server(code: String, message: String)

  /// Text that describes the failure and its remedy.
  public var description: String {
    switch self {
    case .invalidAddress(let reason):
      "the address of the Redis server is invalid: \(reason). Use redis://HOST:PORT/DATABASE or "
        + "unix:///PATH."
    case .unreachable(let reason):
      "the Redis server can't be reached: \(reason). Until the server can be "
        + "reached, requests fail immediately."
    case .connectionLost(let reason):
      "the connection to the Redis server ended: \(reason). A write in flight may have "
        + "taken effect."
    case .refused(let message):
      "the Redis server refused the connection: \(message). \(Self.adviceForRefusal(message))"
    case .closed:
      "the client of the Redis server was closed. Create another RedisServer, or close it later."
    case .tls(let reason): "TLS with the Redis server failed: \(reason)."
    case .queueFull(let limit):
      "\(limit) requests are already waiting for the Redis server. Raise queueLimit, or send "
        + "fewer requests."
    case .valueTooLarge(let bytes, let limit):
      "a value of \(bytes) bytes exceeds the limit of \(limit) bytes. Nothing was stored."
    case .overtaken:
      "a back-fill into Redis was refused, because a later write of the same key took effect "
        + "first. The result of the later write stays."
    case .unconfirmed(let reason): "a memory level that follows Redis stored no value: \(reason)."
    case .damaged:
      "a record in Redis is damaged, or another program has written it. The next write replaces it."
    case .protocolViolation(let reason):
      "the server doesn't follow the Redis protocol: \(reason)."
    case .server(let code, let message):
      "the Redis server answered \(code) \(message). \(Self.advice(for: code, message))"
    }
  }

  /// The description, for user interfaces.
  public var errorDescription: String? { description }

  private static func adviceForRefusal(_ message: String) -> String {
    message.hasPrefix("WRONGPASS ")
      ? advice(for: "WRONGPASS", "")
      : "Check the user, the password, and the database of the address."
  }

  private static func advice(for code: String, _ message: String) -> String {
    switch code {
    case "OOM": "The server is full: set maxmemory-policy to allkeys-lru, or raise maxmemory."
    case "READONLY": "The server is a replica: use the address of its primary."
    case "LOADING": "The server is loading its data. Try again later."
    case "MISCONF": "The server can't write its snapshots. The server's log has the reason."
    case "NOAUTH": "The server needs a password: redis://:PASSWORD@HOST."
    case "NOPERM": "The user isn't allowed to run this command. Change the rules with ACL SETUSER."
    case "CLUSTERDOWN": "The cluster has no server for some slots."
    case "MOVED", "ASK", "CROSSSLOT":
      "The server belongs to a cluster: use RedisServer(cluster:)."
    case "WRONGTYPE": "Delete the key of the other program, or choose another prefix for the level."
    case "WRONGPASS":
      "Check the user name and the password. In an address, special characters are written as "
        + "escapes, such as %2F for / and %25 for %."
    case "ERR" where message.hasPrefix("max number of clients"):
      "Raise maxclients on the server, or use fewer connections."
    case "ERR" where message.hasPrefix("unknown command"):
      "The server is too old: Strata needs Redis 6 or Valkey."
    default: "The level fails, and a sum reads from its next level."
    }
  }

  /// The reason of ``connectionLost(_:)`` if the server has closed the connection.
  static let closedByServer = "the server closed it"

  /// Returns a server's text with its control characters replaced, because they could change the
  /// display of a terminal or add a line to a log.
  static func printable(_ bytes: some Collection<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: text.append("\u{fffd}")
      default: text.append(scalar)
      }
    }
    return String(text)
  }

  /// Creates the error for an error reply from a server.
  ///
  /// When a server doesn't know a command, its message quotes the command's arguments. They may be
  /// secret, so this initializer removes them from the message.
  init(reply bytes: [UInt8]) {
    var text = Self.printable(bytes.prefix(300))
    for quote in [", with args", "with args beginning with"] {
      if let range = text.range(of: quote) { text = String(text[..<range.lowerBound]) }
    }
    let words = text.split(separator: " ", maxSplits: 1)
    guard let code = words.first, words.count == 2, code.allSatisfy({ $0.isUppercase }) else {
      self = .server(code: "ERR", message: text)
      return
    }
    self = .server(code: String(code), message: String(words[1]))
  }
}
