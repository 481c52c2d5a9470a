import Foundation
import Strata

struct Article: Codable, Sendable {
  var title: String
}

guard CommandLine.arguments.count == 2, let url = URL(string: CommandLine.arguments[1]) else {
  print("usage: articles URL")
  exit(2)
}
