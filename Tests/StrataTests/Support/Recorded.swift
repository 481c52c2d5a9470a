@testable import Strata

/// What happened, in order, from whichever thread.
final class Recorded<Element: Sendable>: Sendable {
  private let elements = Lock<[Element]>([])

  var all: [Element] { elements.withLock { $0 } }

  func append(_ element: Element) { elements.withLock { $0.append(element) } }
}
