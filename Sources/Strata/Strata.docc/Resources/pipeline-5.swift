import Foundation
import Strata
import StrataExplain

struct Article: Codable, Sendable {
  var title: String
}

guard CommandLine.arguments.count == 2, let url = URL(string: CommandLine.arguments[1]) else {
  print("usage: articles URL")
  exit(2)
}

let articles: Cache<URL, Article> =
  .memory() + (\.absoluteString <^> .disk("articles") <*> .json() + .network() <*> .json()).pooled()

async let first = articles.value(for: url)
async let second = articles.value(for: url)
print(try await first.title, try await second.title)
try await articles.set(try await first, for: url)  // Waits until the article is on disk.

print(articles.plan)
for remark in articles.plan.advice { print(remark) }
