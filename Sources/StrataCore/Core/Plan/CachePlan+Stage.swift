extension CachePlan {
  /// The name of the cache in errors: the outermost name that was passed to `named`, or the
  /// shortened plan if the cache has no name.
  package var stage: String {
    var plan = self
    while true {
      if let name = plan.node.traits.name { return name }
      guard plan.children.count == 1, plan.form != .sum else { return shortened(self) }
      plan = plan.children[0]
    }
  }
}
