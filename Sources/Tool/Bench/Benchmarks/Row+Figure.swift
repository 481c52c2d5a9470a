extension Row {
  /// Creates a row from values that a benchmark has measured itself, without a `Measurement`.
  ///
  /// - Parameters:
  ///   - values: The values, one per round.
  ///   - baseline: The baseline's values, one per round, or an empty array if there is no baseline.
  ///   - bounds: The targets of the row. By default, the row has no targets.
  ///   - allocations: The number of allocations per operation, or `nil` if allocations weren't
  ///     counted.
  init?(
    _ benchmark: String, _ subject: String, _ unit: Unit, _ values: [Double],
    of group: Group = .disk, over baseline: [Double] = [],
    bounds: (must: Double, aim: Double)? = nil, allocations: Double? = nil
  ) {
    let ratios = zip(values, baseline).map { $0 / $1 }
    guard let figure = Spread(values), let ratio = Spread(ratios.isEmpty ? [.nan] : ratios) else {
      return nil
    }
    let target = bounds.map { Target(measure: .figure(unit), must: $0.must, aim: $0.aim) }
    self.init(
      group: group, benchmark: benchmark, subject: subject, figure: figure, ratio: ratio,
      allocations: allocations, bytes: nil,
      checks: [target].compactMap { $0 }.map { Check(target: $0, figure: figure.median) },
      unit: unit)
  }
}
