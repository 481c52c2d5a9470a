extension Contest {
  /// All contests, group by group.
  static let all: [Contest] =
    memory + composed + maps + pooled + async + set + threads + bytes + disk + verbs
    + watching + levels + time
}
