extension Cache {
  /// Returns this cache with its answers recorded in a probe. There is nothing to record if `plan`
  /// names no level and the values have no stamps.
  func noting(_ plan: CachePlan, in probe: GetProbe) -> Cache {
    let (level, isDated) = (plan.answeringLevel, Value.self is any DatedValue.Type)
    guard level != nil || isDated else { return self }
    let get = get
    return Cache(
      get: { key in
        get(key).map { value in
          if let level {
            probe.begin(.init(level: level.name, isOrigin: level.isOrigin))
          }
          if isDated, let time = (value as? any DatedValue)?.storedAt {
            probe.note { $0.storedAt = time }
          }
          return value
        }
      },
      set: set, remove: remove, clear: clear, memoryWarning: memoryWarning,
      metadata: metadata.with { $0.hit = nil })
  }

  /// The promise of a get, and the probe that the get reports to.
  package func probed(_ key: Key) -> (answer: Promise<Value>, probe: GetProbe) {
    let probe = GetProbe()
    let reporter = Reporter(
      stage: "", observer: .probe(probe), time: clock, isUnnamed: true)
    return (reporting(to: reporter).get(key), probe)
  }
}
