#!/usr/bin/env -S sh -c 'exec "$(dirname "$(readlink -f "$0")")/run" "$0" "$@"'
// Prints the star counts of GitHub repositories, and sends at most one request per repository every
// ten minutes:
//
//   Playgrounds/stars.swift swiftlang/swift apple/swift-collections
//   Playgrounds/stars.swift --why swiftlang/swift
//
// Without a token, GitHub allows sixty requests an hour. If the limit is reached or the network
// fails, the program prints the stored count. The program doesn't print a count that became stale
// more than thirty days ago. The environment variable STARS_API sets the URL of the API. The
// environment variable STARS_FRESH sets the number of seconds for which a stored count is fresh.

import Foundation
import Strata
import StrataExplain

struct Repository: Codable, Sendable {
  var stargazers_count: Int
  var description: String?
}

let environment = ProcessInfo.processInfo.environment
let api = environment["STARS_API"] ?? "https://api.github.com/repos/"
let fresh = environment["STARS_FRESH"].flatMap(Double.init) ?? 600
let arguments = CommandLine.arguments.dropFirst()
let names = arguments.filter { $0 != "--why" }
guard !names.isEmpty else {
  print("usage: stars.swift [--why] OWNER/NAME …")
  exit(2)
}

struct NoName: Error, CustomStringConvertible {
  let description: String
}

@Sendable func address(_ name: String) throws -> URL {
  let parts = name.split(separator: "/", omittingEmptySubsequences: false)
  guard parts.count == 2, let url = URL(string: api + name) else {
    throw NoName(description: "\(name) is not OWNER/NAME")
  }
  return url
}

// The memory and disk levels store stamped values. The network is the origin of fresh values.
let kept: Cache<String, Stamped<Repository>> =
  .memory().named("memory") + (.disk("stars") <*> .stamped(.json())).named("disk")
let github: Fetcher<String, Repository> =
  (address <^> .network(deadline: .seconds(10)) <*> .json()).limited(toConcurrentGets: 4)
  .named("github")

// By default, a star count is fresh for ten minutes. If the stored count is stale, a get calls the
// network. If the network fails, the get returns the stale count.
let life = Freshness(for: .seconds(fresh), staleIfError: .seconds(30 * 86_400))
let recorder = Recorder()
let repositories = kept.refreshing(life, from: github).observed(by: recorder)

if arguments.contains("--why") {
  print("\(repositories.plan)\n")
  for name in names {
    let traced = try await recorder.trace { repositories.get(name) }.value
    print("\(name)\n\(traced.trace.table)\n")
  }
}

// All gets run at the same time. A failed get doesn't affect the other gets.
let loads = names.map { name in (name, repositories.get(name)) }
var failures = 0
for (name, load) in loads {
  do {
    let repository = try await load.value
    print("\(repository.stargazers_count)\t\(name)\t\(repository.description ?? "")")
  } catch  where error.isMiss {
    print("?\t\(name)\tthere is no such repository")
    failures += 1
  } catch {
    print("?\t\(name)\t\(error)")
    failures += 1
  }
}

// A get doesn't wait until its value is on disk. A write waits for the earlier writes of its key,
// so the next run finds every count.
for name in names {
  if let count = try? await kept.findValue(for: name) { try? await kept.set(count, for: name) }
}
exit(failures == 0 ? 0 : 1)
