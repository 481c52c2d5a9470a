/// A registry of the objects in use, each with a unique name.
package struct SharedByName: Sendable {
  package init() {}

  private let known = Lock<[String: @Sendable () -> AnyObject?]>([:])

  /// Returns the object that is registered under a name. When there is none, registers and returns
  /// `new`.
  package func object<Object: AnyObject & Sendable>(named name: String, orElse new: Object)
    -> Object
  {
    let object = object(named: name, orElse: new, { [weak new] in new })
    return unsafeDowncast(object, to: Object.self)
  }

  @inline(never)
  private func object(
    named name: String, orElse new: AnyObject, _ weak: @escaping @Sendable () -> AnyObject?
  ) -> AnyObject {
    let (object, used) = known.withLock { known in
      var used = [new]
      for (name, object) in known {
        if let object = object() { used.append(object) } else { known[name] = nil }
      }
      let object = known[name]?() ?? new
      if object === new { known[name] = weak }
      return (object, used)
    }
    // The objects are released outside the lock, because this function might hold the last
    // references to them.
    return withExtendedLifetime(used) { object }
  }
}
