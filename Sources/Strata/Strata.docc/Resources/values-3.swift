import Foundation
import Strata

struct Article: Codable, Sendable {
  var title: String
}

let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
let disk: Cache<String, Data> = .disk("articles", in: folder)
let byText: Cache<String, Article> = disk <*> .json()

try await byText.set(Article(title: "Caches that add up"), for: "one")
let stored = try await disk.value(for: "one")
print(String(decoding: stored, as: UTF8.self))
