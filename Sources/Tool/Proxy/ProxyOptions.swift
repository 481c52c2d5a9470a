import Foundation

/// The arguments of `proxy`.
struct ProxyOptions: Equatable {
  /// The scheme, host, and port of the origin.
  let origin: URL
  /// The port to listen on, or zero for a port that the system chooses.
  var port = 8080
  /// The directory that stores the responses, or `nil` for the user's caches directory.
  var directory: URL?
  /// The maximum number of bytes in the directory.
  var capacity = 100_000_000
  var isShared = false
  var isOffline = false

  init(_ arguments: [String]) throws {
    var reader = ArgumentReader(arguments)
    var origins: [String] = []
    while let argument = try reader.next() {
      switch argument {
      case "--port": port = try reader.number(after: argument, in: 0...65_535)
      case "--folder":
        directory = URL(fileURLWithPath: try reader.value(after: argument), isDirectory: true)
      case "--capacity":
        capacity = try reader.number(after: argument, in: 4096...1_000_000_000_000)
      case "--shared": isShared = true
      case "--offline": isOffline = true
      case _ where argument.hasPrefix("-"): throw UsageError.argument(argument, of: "proxy")
      default: origins.append(argument)
      }
    }
    if origins.count > 1 {
      throw UsageError.excess(origins[1], of: "proxy", limit: "one origin")
    }
    origin = try Self.origin(origins.first ?? "")
  }

  /// The name of the disk storage. The responses of each origin are stored separately.
  var storeName: String {
    let port = origin.port.map { "-\($0)" } ?? ""
    return "proxy-\(origin.scheme ?? "")-\(origin.host ?? "")\(port)"
  }

  private static func origin(_ text: String) throws -> URL {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      ["http", "https"].contains(scheme), parts.host?.isEmpty == false,
      ["", "/"].contains(parts.path), parts.query == nil, parts.fragment == nil,
      parts.user == nil, let url = URL(string: text)
    else {
      throw UsageError.value(
        text, of: "proxy", expected: "an origin without a path, such as https://api.example.com")
    }
    return url
  }
}
