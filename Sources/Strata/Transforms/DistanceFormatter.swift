#if canImport(MapKit)
  import Foundation
  import MapKit

  extension Codec where Stored == String, Value == CLLocationDistance {
    /// Distances in metres as text, as a formatter reads and writes them; neither direction fails.
    ///
    /// The formatter rounds: 10,293.12 m become "10 km", and that 10,000 m.
    ///
    /// - Parameter formatter: Do not change it afterwards.
    public static func distance(_ formatter: MKDistanceFormatter) -> Codec {
      nonisolated(unsafe) let formatter = formatter  // Used for reading only, as is asked for.
      return Codec(
        label: "distance",
        decode: { text throws -> Double in formatter.distance(from: text) },
        encode: { distance throws -> String in formatter.string(fromDistance: distance) })
    }
  }
#endif
