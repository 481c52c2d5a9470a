/// The table of a trace, with a line for each capacity and a column for each policy.
struct HitRatioView {
  private let replay: Replay
  private let isColored: Bool

  init(_ replay: Replay, _ isColored: Bool) {
    (self.replay, self.isColored) = (replay, isColored)
  }

  var text: String {
    let policies = replay.policies.map {
      TextTable.Column(title: $0.rawValue, width: max(5, $0.rawValue.count), isNumber: true)
    }
    let table = TextTable(
      columns: [
        .init(title: "capacity", width: 10, isNumber: true),
        .init(title: "of keys", width: 8, isNumber: true),
      ] + policies + [.init(title: "", width: 4)],
      isColored: isColored)
    let title =
      "\(replay.trace): \(replay.requests.grouped) requests of \(replay.keys.grouped) keys; "
      + "hits in %"
    let rows = replay.capacities.indices.map { table.row(cells(at: $0)) }
    return ([title.colored(.bold, if: isColored), table.header] + rows + [""])
      .joined(separator: "\n")
  }

  private func cells(at column: Int) -> [TextTable.Cell] {
    let capacity = replay.capacities[column]
    let part = Double(capacity) / Double(replay.keys)
    let ratios = replay.ratios.indices.map { row in
      TextTable.Cell(
        replay.ratios[row][column].inPercent, replay.policies[row] == .strata ? .green : nil)
    }
    return [.init(capacity.grouped), .init("\(part.inPercent) %")] + ratios
      + [column == replay.knee ? .init("knee", .bold) : ""]
  }
}
