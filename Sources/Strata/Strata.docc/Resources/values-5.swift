import Foundation
import Strata

struct Article: Codable, Sendable {
  var title: String
}

let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
let disk: Cache<String, Data> = .disk("articles", in: folder)
let articles: Cache<URL, Article> = \.absoluteString <^> disk <*> .json()

let url = URL(string: "https://articles.example/one")!
try await disk.set(Data(#"{"heading": "an older model"}"#.utf8), for: url.absoluteString)

let origin = Fetcher<URL, Article> { url in Article(title: "from \(url)") }
let healing = articles + origin
print(try await healing.value(for: url).title)

let healed = try await disk.value(for: url.absoluteString)
print(String(decoding: healed, as: UTF8.self))
try? FileManager.default.removeItem(at: folder)
