// Declares the names that the documentation's examples use. `.ci/documentation` compiles this file,
// but never runs it.

import Foundation
import Strata
import StrataExplain
import StrataRedis

let memory: Cache<String, Data> = .memory()
let disk: Cache<String, Data> = .disk("examples")
let network = Fetcher<String, Data> { _ in throw CacheError.notFound }
let pages: Cache<URL, String> = .memory()
let changes = disk.broadcasting().changes
let statistics = CacheStatistics()
let telemetry = Telemetry(of: statistics)
let recorder = Recorder()
let url = URL(fileURLWithPath: "/")
let urls = [url]
let directory = url
let session = NetworkSession()
let remote: Cache<String, Data> = .dictionary()
let redis: RedisServer = {
  do { return try RedisServer("redis://cache.internal:6379") } catch { fatalError("\(error)") }
}()

struct Article: Codable, Sendable {
  var title = ""
  var wordCount = 0
}

struct Profile: Codable, Sendable {
  var name: String
}

struct User: Sendable {
  var name = ""
}

struct UserID: Hashable, Sendable {
  var number: Int
  init(_ number: Int) { self.number = number }
}

let api = API()
struct API: Sendable {
  func user(_ id: Int) async throws -> User { User() }
  func put(_ user: User, _ id: Int) async throws {}
}

let database = Database()
struct Database: Sendable {
  func article(_ key: String) async throws -> Article { Article() }
}

let connection = Connection()
struct Connection: Sendable {
  func load(_ key: String) -> Promise<Data> { Promise(Data()) }
  func store(_ data: Data, at key: String) -> Promise<Void> { Promise() }
  func close() {}
}
let client = Client()
struct Client: Sendable {
  func load(_ url: URL) -> Promise<Data> { Promise(Data()) }
  func load(_ key: String) -> Promise<Data> { Promise(Data()) }
  func store(_ data: Data, at url: URL) -> Promise<Void> { Promise() }
  func store(_ data: Data, at key: String) -> Promise<Void> { Promise() }
  func close() {}
  func start(_ completion: @Sendable (Data) -> Void) -> Task<Void, Never> { Task {} }
}

func fetchPrice() async throws -> Int { 1 }
func load(_ id: String) async throws -> Article { Article() }
func download() -> Promise<Data> { Promise(Data()) }

struct MyLevel {
  let cache: Cache<String, Int> = .memory()
}

typealias Shelf = MyLevel

func mySum(_ upper: Cache<Int, Int>, _ lower: Cache<Int, Int>) -> Cache<Int, Int> { upper + lower }

extension Cache {
  func traced() -> Cache { named("traced") }
}

struct Picture: Sendable {
  var width = 0
  var height = 0
}

func load(_ url: URL) async throws -> String { "" }
func show(_ text: String, isFinal: Bool) {}
