#if canImport(MapKit)
  import Foundation
  import MapKit

  extension Codec where Stored == String, Value == CLLocationDistance {
    /// Returns a codec that stores distances in meters as formatted text. Both directions always
    /// succeed.
    ///
    /// The formatter rounds: 10,293.12 m is stored as "10 km", which decodes to 10,000 m.
    ///
    /// - Parameter formatter: The formatter for both directions. Don't change it after this call.
    public static func distance(_ formatter: MKDistanceFormatter) -> Codec {
      nonisolated(unsafe) let formatter = formatter  // The caller must not change it.
      return Codec(
        label: "distance",
        decode: { text throws -> Double in formatter.distance(from: text) },
        encode: { distance throws -> String in formatter.string(fromDistance: distance) })
    }
  }
#endif
