/// The static description of a cache, as a tree of levels, sums, maps, and verbs.
///
/// A plan is data: each node has a form, a kind, and typed arguments. The text of a plan,
/// ``description``, is the expression that creates the cache. To draw plans, to write them as JSON,
/// or to get advice about them, use the library `StrataExplain`.
///
///     let pages: Cache<URL, String> =
///       .memory() + (\.absoluteString <^> .disk("pages") <*> .utf8 + .network() <*> .utf8).pooled()
///     print(pages.plan)
///     // memory(1000) + (keys <^> disk(100 MB) <*> utf8 + network <*> utf8).pooled()
///     print(pages.plan.children[1].kind)  // pooled
///
/// Copying a plan takes constant time. Even a deeply nested plan can't overflow the stack.
///
/// - Law: `((a + b) + c).plan == (a + (b + c)).plan`. See
///   `CachePlanTests.testParenthesesDoNotChangeThePlan`.
public struct CachePlan: Sendable {
  /// The structural role of a node.
  public enum Form: Hashable, Sendable {
    /// A cache that stores or loads values.
    case level(Role)
    /// Two or more caches in lookup order.
    case sum
    /// Several caches, with a function that selects one cache for each key.
    case branches
    /// A cache with mapped keys.
    case mappedKeys
    /// A cache with mapped values. `decodes` is `false` only for an identity codec, which returns
    /// every value unchanged.
    case mappedValues(decodes: Bool)
    /// A cache with a verb applied to it.
    case verb
  }

  /// The names of a cache's key type and value type.
  public struct Types: Hashable, Sendable {
    /// The type of the keys, such as `URL`.
    public let key: String
    /// The type of the values, such as `Array<String>`.
    public let value: String

    /// Creates a pair of type names.
    package init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }

  /// The contents of a plan. `Node` is a class, so copying a plan copies only a reference.
  package final class Node: Sendable {
    /// The parts of a node that refer to other nodes.
    final class Parts: Sendable {
      let children: [CachePlan]
      let arguments: Arguments

      init(_ children: [CachePlan], _ arguments: Arguments) {
        (self.children, self.arguments) = (children, arguments)
      }
    }

    /// The properties that some nodes declare, so that no code depends on the name of a kind.
    package struct Traits: Sendable {
      /// The name of a stage.
      package var name: String?
      /// Whether the level does its work off the main thread.
      var leavesMainThread = false
      /// Whether the cache counts as an origin, regardless of its levels' roles.
      var isOrigin = false
      /// Whether the node is the empty cache.
      var isEmpty = false
    }

    let form: Form
    let kind: Kind
    let types: Types?
    package let traits: Traits
    /// Whether this node or a node below it is an origin, from which a get can load a value.
    package let hasOrigin: Bool
    /// Whether a get may call an origin, or a cache that counts as one.
    package let mayLoad: Bool
    /// Whether at least one level isn't an origin.
    let hasStorage: Bool
    /// Whether this node or a node below it works off the main thread.
    package let isOffMainThread: Bool
    /// The parts, retained manually, so that `deinit` controls when they're released.
    private let unmanagedParts: Unmanaged<Parts>
    /// The number of nodes on the longest path below this node.
    private let depth: Int

    var parts: Parts { unmanagedParts.takeUnretainedValue() }

    init(
      _ form: Form, _ kind: Kind, _ arguments: Arguments, _ children: [CachePlan],
      _ types: Types?, _ traits: Traits
    ) {
      (self.form, self.kind, self.types, self.traits) = (form, kind, types, traits)
      let below = (children + arguments.plans).map(\.node)
      hasOrigin = form == .level(.origin) || below.contains(where: \.hasOrigin)
      let isLevel = if case .level = form { true } else { false }
      mayLoad =
        form == .level(.origin) || traits.isOrigin || below.contains(where: \.mayLoad)
      hasStorage =
        !traits.isOrigin
        && (isLevel && form != .level(.origin) || below.contains(where: \.hasStorage))
      isOffMainThread = traits.leavesMainThread || below.contains(where: \.isOffMainThread)
      unmanagedParts = Unmanaged.passRetained(Parts(children, arguments))
      let deepest = below.map(\.depth).max()
      depth = deepest.map { $0 + 1 } ?? 0
    }

    /// Releases the parts of this node. Each nested release takes a stack frame. To limit their
    /// number, a node whose depth is a multiple of 128 releases its parts in a separate job.
    deinit {
      let parts = unmanagedParts
      guard depth > 0, depth.isMultiple(of: 128) else { return parts.release() }
      Trampoline.run { parts.release() }
    }
  }

  package let node: Node

  @inline(never)
  init(
    _ form: Form, _ kind: Kind, _ arguments: Arguments = [:], over children: [CachePlan] = [],
    types: Types?, traits: Node.Traits = .init()
  ) {
    node = Node(form, kind, arguments, children, types, traits)
  }

  /// The structural role of this node.
  public var form: Form { node.form }

  /// The kind of the level or the verb. For mapped keys or values, it's the label of the function
  /// or codec, such as `utf8`. The default label is `keys` for a key function, `values` for a value
  /// function, and `codec` for a codec.
  public var kind: Kind { node.kind }

  /// The arguments of the level or the verb, in the order in which the text shows them.
  public var arguments: Arguments { node.parts.arguments }

  /// The members of a sum, the caches from which a function selects, or the cache below a verb or a
  /// map. It's empty for a level.
  public var children: [CachePlan] { node.parts.children }

  /// The types of the keys and the values, if known. For a sum, these are the types of its first
  /// member.
  public var types: Types? { node.types }
}
