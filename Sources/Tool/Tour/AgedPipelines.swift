import Foundation
import Strata

/// Two of the tour's pipelines. Both store values with timestamps, and use a manual clock.
struct AgedPipelines: Sendable {
  /// A pipeline whose values expire after a minute.
  let expiring: Cache<URL, String>
  /// A pipeline whose values are fresh for a minute. Gets return a stale value for another minute
  /// while it's refreshed, and for an hour if the origin fails.
  let refreshing: Cache<URL, String>
  let clock: ManualTime

  /// Creates the two pipelines, which share a memory level and a disk level.
  init(in directory: URL, observer: CacheObserver) {
    let (time, clock) = TimeSource.manual()
    self.clock = clock
    let memory: Cache<URL, Stamped<String>> = .memory(clock: time)
    let disk: Cache<URL, Stamped<String>> =
      \.absoluteString <^> .disk("tour-of-ages", in: directory, clock: time) <*> .stamped(.utf8)
    let levels =
      memory.clocked(by: time).aged(atMost: .seconds(3660)).named(Stage.memory.rawValue)
      + disk.named(Stage.disk.rawValue)
    let network: Fetcher<URL, String> = .network() <*> .utf8
    let freshness = Freshness(
      for: .seconds(60), staleWhileRevalidate: .seconds(60), staleIfError: .seconds(3600))

    expiring =
      (levels.clocked(by: time).expiring(after: .seconds(60))
      + network.named(Stage.network.rawValue))
      .observed(by: observer)
    // The network isn't `named` here. Otherwise, the log would name it as the source of a stale
    // value that is being refreshed.
    refreshing = levels.clocked(by: time).refreshing(freshness, from: network).observed(
      by: observer)
  }
}
