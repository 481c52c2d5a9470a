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
  /// The host names under which clients may call the proxy, in addition to those of this machine.
  var hosts = ProxyHosts()
  /// The maximum number of bytes in the body of a request.
  var upload = ProxyReader.Limits().body
  /// The time in seconds within which a response must be complete, or begin to stream.
  var deadline = 60
  /// The longest body that the proxy holds and stores, in bytes. Longer bodies are streamed.
  var maximumStored = 64 << 20
  var isShared = false
  var isOffline = false
  /// The port of the status page, or `nil` for no page.
  var status: Int?

  init(_ arguments: [String]) throws {
    var reader = ArgumentReader(arguments)
    var origins: [String] = []
    while let argument = try reader.next() {
      switch argument {
      case "--port": port = try reader.number(after: argument, in: 0...65_535)
      case "--folder":
        directory = URL(fileURLWithPath: try reader.folder(after: argument), isDirectory: true)
      case "--capacity":
        capacity = try reader.number(after: argument, in: 4096...1_000_000_000_000)
      case "--host":
        for name in try reader.list(after: argument) { hosts.others.insert(try Self.host(name)) }
      case "--upload": upload = try reader.number(after: argument, in: 0...1_000_000_000_000)
      case "--deadline": deadline = try reader.number(after: argument, in: 1...86_400)
      case "--shared": isShared = true
      case "--offline": isOffline = true
      case "--status": status = try reader.number(after: argument, in: 0...65_535)
      case _ where argument.hasPrefix("-"): throw UsageError.argument(argument, of: "proxy")
      default: origins.append(argument)
      }
    }
    if origins.count > 1 {
      throw UsageError.excess(origins[1], of: "proxy", limit: "one origin")
    }
    origin = try Self.origin(origins.first ?? "")
  }

  /// The name of the disk storage. It differs between origins, and also between private and shared
  /// caches, because a shared cache must not serve what a private one was allowed to store.
  var storeName: String {
    let port = origin.port.map { "-\($0)" } ?? ""
    let kind = isShared ? "shared-proxy" : "proxy"
    return "\(kind)-\(origin.scheme ?? "")-\(origin.host ?? "")\(port)"
  }

  /// Returns the name of a host in lower case, without its port.
  private static func host(_ text: String) throws -> String {
    guard let host = ProxyHosts.host(of: text) else {
      throw UsageError.value(text, of: "--host", expected: "a host name, such as dev.example")
    }
    return host
  }

  private static func origin(_ text: String) throws -> URL {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      ["http", "https"].contains(scheme), parts.host?.isEmpty == false,
      ["", "/"].contains(parts.path), parts.query == nil, parts.fragment == nil,
      parts.user == nil, (1...65_535).contains(parts.port ?? 80), let url = URL(string: text)
    else {
      throw UsageError.value(
        text, of: "proxy", expected: "an origin without a path, such as https://api.example.com")
    }
    return url
  }
}
