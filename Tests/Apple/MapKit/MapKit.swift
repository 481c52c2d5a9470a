import Foundation

/// https://developer.apple.com/documentation/corelocation/cllocationdistance
public typealias CLLocationDistance = Double

/// https://developer.apple.com/documentation/mapkit/mkdistanceformatter
///
/// Not `Sendable`.
open class MKDistanceFormatter: Formatter {
  public func string(fromDistance distance: CLLocationDistance) -> String {
    "\(Int((distance / 1_000).rounded())) km"
  }

  public func distance(from distance: String) -> CLLocationDistance {
    (distance.split(separator: " ").first.flatMap { Double($0) } ?? -0.001) * 1_000
  }
}
