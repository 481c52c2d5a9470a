import Foundation

/// Derives an encoder from a decoder, or a decoder from an encoder, so that the decoder can read
/// the encoder's output.
///
/// On Linux, `.formatted(_:)` is a custom strategy, which can't be reversed. To behave the same
/// everywhere, Strata doesn't reverse it on other platforms either.
enum JSONStrategies {
  /// A coder, or the reason why there is none.
  struct Derived<Coder: Sendable>: Sendable {
    private let result: Result<Coder, MissingCoder>

    init(_ coder: Coder) { result = .success(coder) }
    init(missing: MissingCoder) { result = .failure(missing) }

    func get() throws -> Coder { try result.get() }
  }

  /// The error for a custom strategy, which can't be reversed.
  struct MissingCoder: Error, CustomStringConvertible {
    let strategy: String
    let missing: String

    var description: String {
      "the codec has a custom strategy for \(strategy) and no \(missing) to match: pass both, as in "
        + ".json(decoder: …, encoder: …)"
    }
  }

  /// Returns an encoder whose output the given decoder can read.
  static func encoder(matching decoder: JSONDecoder) -> Derived<JSONEncoder> {
    let encoder = JSONEncoder()
    encoder.userInfo = decoder.userInfo
    switch decoder.dateDecodingStrategy {
    case .deferredToDate: encoder.dateEncodingStrategy = .deferredToDate
    case .secondsSince1970: encoder.dateEncodingStrategy = .secondsSince1970
    case .millisecondsSince1970: encoder.dateEncodingStrategy = .millisecondsSince1970
    case .iso8601: encoder.dateEncodingStrategy = .iso8601
    default: encoder.dateEncodingStrategy = .custom { _, _ in throw noEncoder(for: "dates") }
    }
    switch decoder.dataDecodingStrategy {
    case .deferredToData: encoder.dataEncodingStrategy = .deferredToData
    case .base64: encoder.dataEncodingStrategy = .base64
    default: encoder.dataEncodingStrategy = .custom { _, _ in throw noEncoder(for: "data") }
    }
    switch decoder.nonConformingFloatDecodingStrategy {
    case .throw: encoder.nonConformingFloatEncodingStrategy = .throw
    case .convertFromString(let positive, let negative, let nan):
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: positive, negativeInfinity: negative, nan: nan)
    @unknown default: return .init(missing: noEncoder(for: "numbers"))
    }
    switch decoder.keyDecodingStrategy {
    case .useDefaultKeys: encoder.keyEncodingStrategy = .useDefaultKeys
    case .convertFromSnakeCase: encoder.keyEncodingStrategy = .convertToSnakeCase
    default: return .init(missing: noEncoder(for: "keys"))
    }
    return .init(encoder)
  }

  /// Returns a decoder that can read the output of the given encoder.
  static func decoder(matching encoder: JSONEncoder) -> Derived<JSONDecoder> {
    let decoder = JSONDecoder()
    decoder.userInfo = encoder.userInfo
    switch encoder.dateEncodingStrategy {
    case .deferredToDate: decoder.dateDecodingStrategy = .deferredToDate
    case .secondsSince1970: decoder.dateDecodingStrategy = .secondsSince1970
    case .millisecondsSince1970: decoder.dateDecodingStrategy = .millisecondsSince1970
    case .iso8601: decoder.dateDecodingStrategy = .iso8601
    default: decoder.dateDecodingStrategy = .custom { _ in throw noDecoder(for: "dates") }
    }
    switch encoder.dataEncodingStrategy {
    case .deferredToData: decoder.dataDecodingStrategy = .deferredToData
    case .base64: decoder.dataDecodingStrategy = .base64
    default: decoder.dataDecodingStrategy = .custom { _ in throw noDecoder(for: "data") }
    }
    switch encoder.nonConformingFloatEncodingStrategy {
    case .throw: decoder.nonConformingFloatDecodingStrategy = .throw
    case .convertToString(let positive, let negative, let nan):
      decoder.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: positive, negativeInfinity: negative, nan: nan)
    @unknown default: return .init(missing: noDecoder(for: "numbers"))
    }
    switch encoder.keyEncodingStrategy {
    case .useDefaultKeys: decoder.keyDecodingStrategy = .useDefaultKeys
    case .convertToSnakeCase: decoder.keyDecodingStrategy = .convertFromSnakeCase
    default: return .init(missing: noDecoder(for: "keys"))
    }
    return .init(decoder)
  }

  private static func noEncoder(for strategy: String) -> MissingCoder {
    MissingCoder(strategy: strategy, missing: "encoder")
  }

  private static func noDecoder(for strategy: String) -> MissingCoder {
    MissingCoder(strategy: strategy, missing: "decoder")
  }
}
