extension Benchmark {
  /// All benchmarks, group by group.
  static let all: [Benchmark] =
    memory + composed + maps + pooled + async + set + threads + [operating] + bytes + disk + verbs
    + tags + reading + compression + watching + levels + time + redis + network
}
