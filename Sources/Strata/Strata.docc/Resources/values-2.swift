import Foundation
import Strata

struct Article: Codable, Sendable {
  var title: String
}

let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
let disk: Cache<String, Data> = .disk("articles", in: folder)
