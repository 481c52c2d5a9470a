/// A table for a trace: a line for each capacity, a column for each policy.
struct HitRatioView {
  private let replay: Replay
  private let isColoured: Bool

  init(_ replay: Replay, _ isColoured: Bool) {
    (self.replay, self.isColoured) = (replay, isColoured)
  }

  var text: String {
    let policies = replay.policies.map {
      Table.Column(title: $0.rawValue, width: 7, isNumber: true)
    }
    let table = Table(
      columns: [
        .init(title: "capacity", width: 10, isNumber: true),
        .init(title: "of keys", width: 8, isNumber: true),
      ] + policies + [.init(title: "", width: 4)],
      isColoured: isColoured)
    let title =
      "\(replay.trace): \(replay.requests.grouped) requests of \(replay.keys.grouped) keys; "
      + "hits in %"
    let rows = replay.capacities.indices.map { table.row(cells(at: $0)) }
    return ([title.coloured(.bold, if: isColoured), table.header] + rows + [""])
      .joined(separator: "\n")
  }

  private func cells(at column: Int) -> [Table.Cell] {
    let capacity = replay.capacities[column]
    let part = Double(capacity) / Double(replay.keys)
    let ratios = replay.ratios.indices.map { row in
      Table.Cell(
        replay.ratios[row][column].inPercent, replay.policies[row] == .strata ? .green : nil)
    }
    return [.init(capacity.grouped), .init("\(part.inPercent) %")] + ratios
      + [column == replay.knee ? .init("knee", .bold) : ""]
  }
}
