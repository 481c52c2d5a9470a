/// One thing that is measured: an operation, done many times.
struct Subject: Sendable {
  let name: String
  /// The names of other subjects in the same contest, and what is asked of the comparison.
  var targets: [Target] = []
  /// What a single call of `run` with a count of one stands for, if that is more than one.
  var operationsEach = 1
  /// The most operations of one sample, where each of them takes room.
  var limit = Int.max
  /// Says what went wrong, after all rounds.
  var fault: @Sendable () -> String? = { nil }
  /// Does the operation so many times, and gives every result to the black hole.
  let run: @Sendable (_ count: Int) async throws -> Void
}

/// What is compared with each other: one table.
struct Contest: Sendable {
  let group: Group
  let title: String
  /// Measures; what has to be prepared is released in the end.
  let rows: @Sendable (_ rounds: Int, Scale) async throws -> [Row]
}

extension Contest {
  /// A contest in time; the first subject is the baseline of the others.
  init(
    _ group: Group, _ title: String,
    subjects: @escaping @Sendable (Scale) async throws -> [Subject]
  ) {
    self.init(group: group, title: title) { rounds, scale in
      try await Measurement(
        of: (group, title), try await subjects(scale), rounds: rounds, sample: scale.sample
      ).rows()
    }
  }
}

/// What is measured together, and can be asked for by name.
enum Group: String, CaseIterable, Sendable {
  case memory, composed, maps, pooled, async, set, threads, bytes, disk, verbs, time
}

/// How much is measured.
struct Scale: Equatable, Sendable {
  /// The most entries of a memory level.
  var entries = 1_000_000
  /// How long a sample should take.
  var sample = Duration.milliseconds(10)

  /// So little that it only shows that everything runs.
  static let quick = Scale(entries: 64, sample: .microseconds(50))

  func entries(_ wanted: Int) -> Int { min(wanted, entries) }
}
