#if canImport(MapKit)
  import Foundation
  import MapKit

  extension Codec where Stored == String, Value == CLLocationDistance {
    /// Returns a codec that stores distances in meters as formatted text. Decoding and encoding
    /// always succeed.
    ///
    /// The formatter may round distances. For example, 10,293.12 m is stored as "10 km", which
    /// decodes to 10,000 m.
    ///
    /// - Parameter formatter: The formatter for decoding and encoding. Don't change it after this
    ///   call.
    public static func distance(_ formatter: MKDistanceFormatter) -> Codec {
      // This is safe, because callers must not change the formatter.
      nonisolated(unsafe) let formatter = formatter
      return Codec(
        label: "distance",
        decode: { text throws -> Double in formatter.distance(from: text) },
        encode: { distance throws -> String in formatter.string(fromDistance: distance) })
    }
  }
#endif
