extension Cache {
  /// Returns this cache as a named stage. In events of this cache, `name` is the name of the stage.
  ///
  /// The name doesn't slow down the operations of a cache without an observer.
  ///
  ///     let seen = (memory.named("memory") + disk.named("disk")).observed(by: .printing)
  ///     // memory: get miss in 0.4 us, disk: get hit in 31.0 us, …
  ///
  /// - Parameter name: The name of the stage in events and in the plan.
  /// - Law: `a.named("a") == a`. See `transparency.named`, checked by `VerbLaws`.
  @inlinable
  public func named(_ name: String) -> Cache {
    named(name) { $0.reporting($1, isOrigin: $2) }
  }

  @usableFromInline
  func named(_ name: String, get: @escaping StageGet) -> Cache {
    with(plan: .named(plan, name)) { reporter in
      let reporter = reporter.stage(name, isAboveOrigin: isAboveOrigin)
      return reporting(to: reporter).asStage(reporter, get).naming(name)
    } again: {
      $0.named(name, get: get)
    }.naming(name)
  }

  /// Whether this cache is read-only and isn't itself an origin. If so, each call of its origin is
  /// reported as a `load` event of this cache's stage.
  var isAboveOrigin: Bool { metadata.isReadOnly && !plan.isOrigin }
}

extension CachePlan {
  /// Whether this node is an origin. A level that has an origin among its arguments, such as an
  /// HTTP level, isn't an origin itself.
  fileprivate var isOrigin: Bool {
    form == .level(.origin) && !arguments.plans.contains(where: \.node.hasOrigin)
  }
}
