/// One measured operation of a benchmark.
struct BenchmarkCase: Sendable {
  let name: String
  /// The performance targets of this case. Some targets compare this case's time with the time of
  /// another case of the same benchmark.
  var targets: [Target] = []
  /// The number of operations in one iteration of `run`.
  var operationsEach = 1
  /// The maximum number of operations per sample. Operations that consume memory or disk space need
  /// such a limit.
  var limit = Int.max
  /// A closure that returns a description of a fault, or `nil` if there is no fault. It's called
  /// after all rounds.
  var fault: @Sendable () -> String? = { nil }
  /// A closure that runs `count` iterations and passes each result to `blackHole`.
  let run: @Sendable (_ count: Int) async throws -> Void
}
