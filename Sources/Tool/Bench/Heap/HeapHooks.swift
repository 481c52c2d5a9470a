#if os(Linux) && canImport(Glibc)
  /// Stands between the loaded objects and the allocator while it counts, and not otherwise.
  ///
  /// A symbol of its own named malloc would need a C target or flags for the linker, and would be
  /// in the way of a sanitizer. So the pointers through which the objects call the allocator are
  /// exchanged while counting: whoever is not counting pays nothing.
  final class HeapHooks: Sendable {
    static let shared = HeapHooks()

    private let slots: [(slot: LinkSlot, hook: UInt)]

    private init?() {
      guard let hooks = Allocator.hooks else { return nil }
      slots = LinkSlot.all(for: Array(hooks.keys)).compactMap { name, slot in
        hooks[name].map { (slot, $0) }
      }
      guard !slots.isEmpty, slots.allSatisfy({ $0.slot.makeWritable() }) else { return nil }
    }

    func begin() {
      for (slot, hook) in slots { slot.store(hook) }
      Allocator.reset()  // Not before: in a debug build the loop itself allocates.
    }

    func end() { for (slot, _) in slots { slot.restore() } }
  }
#endif
