/// The hit ratio that a memory level with a `cost` favors.
///
/// Values of different costs compete for the same capacity, so no policy maximizes both hit ratios.
/// If values have no `cost`, both goals have the same effect.
public enum HitRatioGoal: Sendable {
  /// The object hit ratio: the fraction of gets that are hits. For this goal, the level prefers
  /// values with many gets per unit of cost, so it keeps many small values instead of one large
  /// value.
  case objects
  /// The byte hit ratio: the fraction of gets that are hits, with each get weighted by the cost of
  /// its value. For this goal, the level prefers values with many gets, whatever they cost. Choose
  /// `bytes` if the time of a miss depends mostly on the size of the value.
  case bytes
}
