extension Row {
  /// A row of figures that were counted some other way than by a measurement in turns.
  ///
  /// - Parameters:
  ///   - values: One of each round.
  ///   - baseline: As many, of what the row is compared with; nothing if it is not.
  ///   - bounds: What it must reach, and what it should; nothing is asked without them.
  init?(
    _ contest: String, _ subject: String, _ unit: Unit, _ values: [Double],
    of group: Group = .disk, over baseline: [Double] = [],
    bounds: (must: Double, aim: Double)? = nil
  ) {
    let ratios = zip(values, baseline).map { $0 / $1 }
    guard let figure = Spread(values), let ratio = Spread(ratios.isEmpty ? [.nan] : ratios) else {
      return nil
    }
    let target = bounds.map { Target(measure: .figure(unit), must: $0.must, aim: $0.aim) }
    self.init(
      group: group, contest: contest, subject: subject, figure: figure, ratio: ratio,
      allocations: nil, bytes: nil,
      checks: [target].compactMap { $0 }.map { Check(target: $0, figure: figure.median) },
      unit: unit)
  }
}
