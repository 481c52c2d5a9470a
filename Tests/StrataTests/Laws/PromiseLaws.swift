import Strata
import StrataLaws
import XCTest

/// What a promise is: a monad that settles once.
final class PromiseLaws: XCTestCase {
  func testPromisesAreAMonad() throws { try Laws.check(.promise) }

  func testAPromiseSettlesExactlyOnce() throws { try Laws.check(.exactlyOnce) }
}
