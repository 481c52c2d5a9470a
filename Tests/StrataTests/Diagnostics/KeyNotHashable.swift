// says: type 'Point' does not conform to protocol 'Hashable'
import Strata

struct Point: Sendable { var x, y: Int }

let heights: Cache<Point, Double> = .memory()
