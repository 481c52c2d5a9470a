import Foundation
import Strata

/// The arguments of the command `disk`.
struct DiskOptions {
  enum Action: Equatable {
    case list, size, check, expire
    case remove(String)
  }

  let path: String
  var action = Action.size

  private static let actions = ["list", "size", "check", "expire", "remove KEY"]

  init(_ arguments: [String]) throws {
    guard let path = arguments.first else {
      throw UsageError.value("", of: "disk", expected: "the directory of a disk level")
    }
    guard !path.hasPrefix("--") else { throw UsageError.argument(path, of: "disk") }
    self.path = path
    var rest = arguments.dropFirst()
    switch rest.popFirst() {
    case nil, "size": action = .size
    case "list": action = .list
    case "check": action = .check
    case "expire": action = .expire
    case "remove":
      guard let key = rest.popFirst() else {
        throw UsageError.value("", of: "remove", expected: "a key, as the list shows it")
      }
      action = .remove(key)
    case let name?: throw UsageError.name(name, of: "action", known: DiskOptions.actions)
    }
    if let excess = rest.first { throw UsageError.excess(excess, of: "disk", limit: "one action") }
  }
}
