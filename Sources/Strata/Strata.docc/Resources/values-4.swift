import Foundation
import Strata

struct Article: Codable, Sendable {
  var title: String
}

let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
let disk: Cache<String, Data> = .disk("articles", in: folder)
let articles: Cache<URL, Article> = \.absoluteString <^> disk <*> .json()

let url = URL(string: "https://articles.example/one")!
try await articles.set(Article(title: "Caches that add up"), for: url)
let stored = try await disk.value(for: url.absoluteString)
print(String(decoding: stored, as: UTF8.self))
