/// A table per trace, with a line per capacity and a column per policy. For a trace with sizes, a
/// second table has the byte hit ratios.
struct HitRatioView {
  private let replay: Replay
  private let isColored: Bool
  private let isOfBytes: Bool

  private init(_ replay: Replay, _ isColored: Bool, isOfBytes: Bool) {
    (self.replay, self.isColored, self.isOfBytes) = (replay, isColored, isOfBytes)
  }

  static func tables(of replay: Replay, _ isColored: Bool) -> [String] {
    (replay.bytes == nil ? [false] : [false, true]).map {
      HitRatioView(replay, isColored, isOfBytes: $0).text
    }
  }

  private var text: String {
    let policies = replay.policies.map {
      TextTable.Column(title: $0.rawValue, width: max(5, $0.rawValue.count), isNumber: true)
    }
    let table = TextTable(
      columns: [
        .init(title: "capacity", width: replay.bytes == nil ? 10 : 13, isNumber: true),
        .init(title: replay.bytes == nil ? "of keys" : "of all", width: 8, isNumber: true),
      ] + policies + [.init(title: "", width: 4)],
      isColored: isColored)
    let title =
      "\(replay.trace): \(replay.requests.grouped) requests of \(replay.keys.grouped) keys; "
      + (isOfBytes ? "hit bytes in %" : "hits in %")
    let rows = replay.capacities.indices.map { table.row(cells(at: $0)) }
    return ([title.colored(.bold, if: isColored), table.header] + rows + [""])
      .joined(separator: "\n")
  }

  private func cells(at column: Int) -> [TextTable.Cell] {
    let capacity = replay.capacities[column]
    let part = Double(capacity) / Double(replay.bytes ?? replay.keys)
    let table = isOfBytes ? replay.byteRatios : replay.ratios
    let ratios = table.indices.map { row in
      TextTable.Cell(
        table[row][column].inPercent, replay.policies[row] == .strata ? .green : nil)
    }
    return [.init(capacity.grouped), .init("\(part.inPercent) %")] + ratios
      + [column == replay.knee && !isOfBytes ? .init("knee", .bold) : ""]
  }
}
