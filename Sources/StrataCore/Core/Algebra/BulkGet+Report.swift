extension BulkGet {
  /// Returns a bulk get that reports each key's get as an event of a stage.
  ///
  /// The number of keys in a part is unknown until its outcomes arrive. So a part is reported after
  /// all parts before it. When a whole part fails or is cancelled, the keys after it count as
  /// failed or cancelled as well.
  package func reported(by reporter: Reporter, isOrigin: Bool) -> BulkGet {
    BulkGet { [get] keys in
      let start = reporter.now()
      guard let parts = get(keys) else { return nil }
      let arrivals = Lock(Arrivals(rest: keys[...], parts: parts.count))
      for (index, part) in parts.enumerated() {
        part.observed { outcome in
          for (key, outcome) in arrivals.withLock({ $0.add(outcome, of: index) }) {
            reporter.report(.get, key, since: start, outcome, isOrigin: isOrigin)
          }
        }
      }
      return parts
    }
  }

  /// The outcomes that have arrived, and the keys that haven't been reported.
  private struct Arrivals {
    var rest: ArraySlice<Key>
    var parts: [Promise<Outcomes>.Outcome?]
    var next = 0

    init(rest: ArraySlice<Key>, parts: Int) {
      (self.rest, self.parts) = (rest, Array(repeating: nil, count: parts))
    }

    /// Adds the outcome of a part, and returns the keys and outcomes that can be reported now.
    mutating func add(
      _ outcome: Promise<Outcomes>.Outcome, of index: Int
    ) -> [(Key, Promise<Value>.Outcome)] {
      parts[index] = outcome
      var due: [(Key, Promise<Value>.Outcome)] = []
      while next < parts.count, let part = parts[next] {
        next += 1
        let outcomes: Outcomes =
          switch part {
          case .success(let outcomes): outcomes
          case .failure(let error): rest.map { _ in .failure(error) }
          case .cancelled: rest.map { _ in .cancelled }
          }
        due += zip(rest, outcomes)
        rest = rest.dropFirst(outcomes.count)
      }
      return due
    }
  }
}
