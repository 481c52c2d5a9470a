extension StatusPage {
  /// The values of a figure, such as the hit ratio, at several capacities. Simulations, for
  /// example, compute them.
  public struct Curve: Sendable {
    /// The heading of the curve.
    public var title: String
    /// The unit of the vertical axis.
    public var unit: Unit
    /// The capacities and their figures, from the smallest capacity to the largest.
    public var points: [(capacity: Double, figure: Double)]
    /// The capacity of the pipeline, at which the curve has a mark, or `nil` for no mark.
    public var current: Double?

    /// Creates a curve. Points that aren't finite are left out.
    ///
    /// - Parameters:
    ///   - title: The heading.
    ///   - unit: The unit of the vertical axis.
    ///   - points: The capacities and their figures, in any order.
    ///   - current: The capacity of the pipeline, at which the curve has a mark. The default is
    ///     `nil`, for no mark.
    public init(
      title: String, unit: Unit, points: [(capacity: Double, figure: Double)],
      current: Double? = nil
    ) {
      (self.title, self.unit, self.current) = (title, unit, current)
      self.points = points.filter { $0.capacity.isFinite && $0.figure.isFinite }
        .sorted { $0.capacity < $1.capacity }
    }

    /// The capacity above which more capacity gains little, or `nil` for a curve that is almost
    /// straight.
    ///
    /// Both axes are scaled to reach from zero to one. Then the knee is the point that is farthest
    /// from the straight line between the ends of the curve. See Satopää and others: Finding a
    /// “Kneedle” in a Haystack, 2011. There's no knee if this distance is less than 5 %, or if the
    /// curve gains more with each step.
    ///
    /// - Complexity: O(n) in the number of points.
    public var knee: Double? {
      guard let first = points.first, let last = points.last else { return nil }
      let (width, height) = (last.capacity - first.capacity, last.figure - first.figure)
      guard points.count > 2, width > 0, height != 0 else { return nil }
      let distances = points.map { point in
        let along = (point.capacity - first.capacity) / width
        return (point.capacity, (point.figure - first.figure) / height - along)
      }
      let farthest = distances.max { $0.1 < $1.1 }
      return farthest.flatMap { $0.1 >= 0.05 ? $0.0 : nil }
    }

    /// The format of a figure on the page.
    public enum Unit: String, Sendable {
      /// A number.
      case count
      /// A fraction from zero to one, written as a percentage.
      case fraction
      /// A duration in seconds.
      case seconds
    }
  }
}
