extension Cache {
  /// Returns this cache as a stage with a name, under which an observer around it sees its events.
  ///
  /// Costs nothing while nobody observes.
  public func named(_ name: String) -> Cache {
    with(plan: .verb(plan, name: "named", arguments: "\"\(name)\"")) { reporter in
      let reporter = reporter.named(name)
      return reporting(to: reporter).stage(reporter)
    }
  }
}

extension Fetcher {
  /// Returns this fetcher as a stage with a name; see ``Cache/named(_:)``.
  public func named(_ name: String) -> Fetcher { Fetcher(cache.named(name)) }
}
