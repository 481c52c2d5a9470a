import Foundation
import Strata

/// The pipelines of the tour whose values have an age, on a clock that the steps move.
struct AgedPipelines: Sendable {
  /// Values that live for a minute.
  let expiring: Cache<URL, String>
  /// Values that are fresh for a minute, stale for another, and stale on error for an hour.
  let refreshing: Cache<URL, String>
  let clock: ManualTime

  /// Puts the pipelines together, over the same memory and disk.
  init(in directory: URL, observer: CacheObserver) {
    let (time, clock) = TimeSource.manual()
    self.clock = clock
    let memory: Cache<URL, Stamped<String>> = .memory(on: time)
    let disk: Cache<URL, Stamped<String>> =
      \.absoluteString <^> .disk("tour-of-ages", in: directory, on: time) <*> .stamped(.utf8)
    let levels =
      memory.maxAge(.seconds(3660), on: time).named(Stage.memory.rawValue)
      + disk.named(Stage.disk.rawValue)
    let network: Fetcher<URL, String> = .network() <*> .utf8
    let freshness = Freshness(
      for: .seconds(60), staleWhileRevalidate: .seconds(60), staleIfError: .seconds(3600))

    expiring =
      (levels.expiring(after: .seconds(60), on: time) + network.named(Stage.network.rawValue))
      .observed(by: observer)
    // Without a name: what answers is the stale value, whatever runs behind it.
    refreshing = levels.refreshing(freshness, from: network, on: time).observed(by: observer)
  }
}
