#!/usr/bin/env -S sh -c 'exec "${0%/*}/run" "$0" "$@"'
// Says how many stars repositories on GitHub have, and asks no more often than every ten minutes:
//
//   Playgrounds/stars.swift swiftlang/swift apple/swift-collections
//   Playgrounds/stars.swift --why swiftlang/swift
//
// Without a token GitHub answers sixty questions an hour. Once they are used up, or without a
// network, what is on disk is answered for thirty days more. STARS_API names another origin, and
// STARS_FRESH how many seconds an answer is fresh.

import Foundation
import Strata

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

// The levels that keep an age, memory over disk, and where fresh values come from.
let kept: Cache<String, Stamped<Repository>> =
  .memory().named("memory") + (.disk("stars") <*> .stamped(.json())).named("disk")
let github: Fetcher<String, Repository> =
  (address <^> .network(deadline: .seconds(10)) <*> .json()).limited(toConcurrentGets: 4)
  .named("github")

// Fresh for ten minutes; after that the network is asked, and if it fails, what is there is
// answered.
let life = Freshness(for: .seconds(fresh), staleIfError: .seconds(30 * 86_400))
let recorder = Recorder()
let repositories = kept.refreshing(life, from: github).observed(by: recorder)

if arguments.contains("--why") {
  print("\(repositories.plan)\n")
  for name in names {
    let traced = try await recorder.trace { repositories.get(name) }.value
    print("\(name)\n\(traced.trace)\n")
  }
}

// All at once; one that fails does not keep the others from being shown.
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
exit(failures == 0 ? 0 : 1)
