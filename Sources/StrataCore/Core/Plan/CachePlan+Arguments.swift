extension CachePlan {
  /// The value of an argument.
  public enum Value: Equatable, Sendable {
    /// A number of items, such as `1000`.
    case count(Int)
    /// A number of bytes, such as `100 MB`.
    case bytes(Int)
    /// A fraction, such as `0.1`. It's usually between 0 and 1.
    case fraction(Double)
    /// A duration, such as `60 s`. In the text of a plan, the duration is clamped to ±`Int64.max`
    /// seconds.
    case duration(Duration)
    /// A date, such as `2026-01-01T00:00:00Z`. It's shown in UTC with whole seconds.
    case date(TimeSource.Instant)
    /// Text, such as `"articles"`. Text is shown in quotation marks.
    case text(String)
    /// A name or a keyword, such as `main`, which is shown without quotation marks.
    case name(String)
    /// The plan of another cache, such as `disk(100 MB) + network`.
    case plan(CachePlan)
  }

  /// An argument of a level or a verb.
  public struct Argument: Equatable, Sendable {
    /// The label, or `nil` if the argument has no label.
    public let label: String?
    /// The value.
    public let value: Value

    /// Creates an argument.
    package init(label: String? = nil, value: Value) { (self.label, self.value) = (label, value) }

    /// Whether two arguments have equal labels and equal values.
    @inline(never)
    public static func == (one: Argument, other: Argument) -> Bool {
      one.label == other.label && one.value == other.value
    }
  }

  /// The arguments of a level or a verb, in order. Arguments without a label have the label `nil`.
  ///
  ///     var arguments: CachePlan.Arguments = [nil: .duration(.seconds(60))]
  ///     arguments["jitter"] = .fraction(0.1)
  ///     print(arguments)  // 60 s, jitter: 0.1
  public struct Arguments: Equatable, Sendable, ExpressibleByDictionaryLiteral {
    /// The arguments in order.
    public private(set) var elements: [Argument]

    /// Creates arguments from a list.
    package init(_ elements: [Argument]) { self.elements = elements }

    /// Creates arguments from labels and values. Labels can repeat.
    public init(dictionaryLiteral elements: (String?, Value)...) {
      self.elements = elements.map { Argument(label: $0, value: $1) }
    }

    /// The first value with the given label. To get the first value without a label, pass `nil` as
    /// the label.
    ///
    /// Assigning a value replaces the first argument with this label. When there is none, the value
    /// is appended as a new argument. Assigning `nil` removes the first argument with this label.
    ///
    /// - Complexity: O(n) in the number of arguments.
    public subscript(label: String?) -> Value? {
      get { elements.first { $0.label == label }?.value }
      @inline(never)
      set {
        let index = elements.firstIndex { $0.label == label }
        let new = newValue.map { [Argument(label: label, value: $0)] } ?? []
        elements.replaceSubrange(
          index.map { $0..<$0 + 1 } ?? elements.endIndex..<elements.endIndex, with: new)
      }
    }

    /// The plans among the values.
    package var plans: [CachePlan] {
      elements.compactMap { argument in
        if case .plan(let plan) = argument.value { plan } else { nil }
      }
    }
  }
}
