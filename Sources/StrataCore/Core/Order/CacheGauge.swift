/// A current figure of one part of a cache: its size, or the number of gets that run or wait in it.
package struct CacheGauge: Equatable, Sendable {
  /// The name of the level, or the plan of the verb.
  package var stage: String
  /// The quantity that the gauge measures, such as `values` or `waiting`.
  package let name: String
  package let value: Int
  /// The maximum value, or `nil` if there is none.
  package let limit: Int?

  package init(_ name: String, _ value: Int, of limit: Int? = nil) {
    (stage, self.name, self.value) = ("", name, value)
    self.limit = limit == .max ? nil : limit
  }
}

/// A part of a cache that has gauges.
struct MeasuredPart: Sendable {
  var stage: String
  /// The level, or `nil` for a verb.
  let level: ObjectIdentifier?
  /// Whether a caller has given the part a name.
  var isNamed = false
  let gauges: @Sendable () -> [CacheGauge]
}

extension RunningWorks {
  /// Adds the gauges of a level, which are read for each report. A level that several parts of a
  /// cache share is added only once.
  package mutating func add(
    _ stage: String, level: AnyObject?, _ gauges: @escaping @Sendable () -> [CacheGauge]
  ) {
    let level = level.map { ObjectIdentifier($0) }
    if let level, !measured.insert(level).inserted { return }
    parts.append(MeasuredPart(stage: stage, level: level, gauges: gauges))
  }

  /// Visits a cache with a name. This becomes the name of the parts below if only one of them is a
  /// level.
  mutating func name(_ name: String, _ visit: Visit) {
    let first = parts.count
    visit(&self)
    guard Set(parts[first...].compactMap(\.level)).count <= 1 else { return }
    for index in parts[first...].indices where !parts[index].isNamed {
      (parts[index].stage, parts[index].isNamed) = (name, true)
    }
  }

  /// The current gauges of all parts.
  var gauges: [CacheGauge] {
    parts.flatMap { part in
      part.gauges().map { gauge in
        var gauge = gauge
        gauge.stage = part.stage
        return gauge
      }
    }
  }
}
