/// One measured operation of a benchmark.
struct BenchmarkCase: Sendable {
  let name: String
  /// The targets of this case. A target can be relative to another case of the same benchmark.
  var targets: [Target] = []
  /// The number of operations in one iteration of `run`.
  var operationsEach = 1
  /// The maximum number of operations per sample. Operations that consume memory or disk space need
  /// a limit.
  var limit = Int.max
  /// A closure that returns a description of a fault, or `nil` if there is no fault. Called after
  /// all rounds.
  var fault: @Sendable () -> String? = { nil }
  /// A closure that runs `count` iterations and passes each result to `blackHole`.
  let run: @Sendable (_ count: Int) async throws -> Void
}
