import StrataVerbs

/// The totals of a pipeline, from the counts of its stages.
///
/// A level is a named stage that contains no other named stage. Its counts show what the level did.
/// The stage of the whole pipeline counts the gets of the callers. It may count more gets than the
/// levels do, because some gets join the load of another get, and so don't reach a level.
struct PageTotals: Sendable {
  /// A named level. Levels are in lookup order.
  struct Level: Sendable {
    let name: String
    let stores: Bool
  }

  let levels: [Level]
  /// The number of the callers' gets that found a value, missed, or failed.
  private(set) var gets = 0.0
  /// The number of the callers' gets that found a value or missed.
  private(set) var answered = 0.0
  /// The number of gets that were answered by a level that stores values.
  private(set) var stored = 0.0
  /// The number of calls that reached an origin.
  private(set) var loads = 0.0
  /// The stage that counts the callers' gets, if there is one.
  private(set) var whole: StatisticsReport.Stage?
  private let stages: [String: StatisticsReport.Stage]

  init(_ plan: CachePlan, _ report: StatisticsReport?) {
    self.init(Self.levels(of: plan), whole: Self.stage(of: plan), report)
  }

  init(_ levels: [Level], whole description: String, _ report: StatisticsReport?) {
    let all = report?.stages ?? []
    self.levels = levels
    stages = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { one, _ in one })
    let found = levels.compactMap { stages[$0.name] }
    let names = Set(levels.map(\.name))
    whole =
      stages[description] ?? all.filter { !names.contains($0.name) }.max { $0.gets < $1.gets }
    let answers = found.reduce(0.0) { $0 + Double($1.hits) }
    gets = whole?.gets ?? answers + (found.last.map { $0.gets - Double($0.hits) } ?? 0)
    answered = whole?.answered ?? answers + (found.last.map { Double($0.misses) } ?? 0)
    stored = levels.filter(\.stores).reduce(0.0) { $0 + Double(stages[$1.name]?.hits ?? 0) }
    let origins = levels.filter { !$0.stores }.compactMap { stages[$0.name] }
    loads = (origins.isEmpty ? all : origins).reduce(0.0) { $0 + Double($1.loads) }
    if found.isEmpty { stored = max(0, Double(whole?.hits ?? 0) - loads) }
  }

  /// The share of answered gets that needed no origin.
  var hitRatio: Double? { answered > 0 ? min(stored / answered, 1) : nil }

  /// The stage of a level.
  subscript(name: String) -> StatisticsReport.Stage? { stages[name] }

  /// Returns the share of all answers that came from a level.
  func share(of name: String) -> Double? {
    guard answered > 0, let stage = stages[name] else { return nil }
    return min(Double(stage.hits) / answered, 1)
  }

  /// Returns the name of the stage of the whole pipeline, for a pipeline that has no name.
  static func stage(of plan: CachePlan) -> String {
    var plan = plan
    while plan.isVerb(.observed), let child = plan.children.first { plan = child }
    return plan.description
  }

  /// The named stages of a plan that contain no other named stage.
  static func levels(of plan: CachePlan) -> [Level] {
    plan.fold { (plan, parts: [[Level]]) in
      let inner = parts.flatMap { $0 }
      guard plan.isVerb(.named), inner.isEmpty else { return inner }
      return [Level(name: plan.stage, stores: !plan.storesNothing)]
    }
  }
}

extension StatisticsReport.Stage {
  /// The number of gets that found a value, missed, or failed. This includes the few writes that
  /// failed, because a stage counts all failures together.
  var gets: Double { answered + Double(failures) }

  /// The number of gets that found a value or missed.
  var answered: Double { Double(hits) + Double(misses) }

  /// The hits as a fraction of hits and misses.
  var hitRatio: Double? { answered > 0 ? Double(hits) / answered : nil }
}
