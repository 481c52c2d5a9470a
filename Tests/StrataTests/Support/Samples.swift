import Strata

extension Promise {
  /// The outcome of this promise as text.
  var answer: String {
    switch outcome {
    case nil: "no answer"
    case .success(let value): "\(value)"
    case .failure(CacheError.notFound): "not found"
    case .failure(let error): "\(type(of: error)).\(error)"
    case .cancelled: "cancelled"
    }
  }
}

extension Codec where Stored == Int, Value == Int {
  /// A codec that round-trips in both directions and never fails.
  static var shifted: Codec { Codec(decode: { $0 + 10 }, encode: { $0 - 10 }) }

  /// A codec that can't decode 1 and can't encode 12.
  static var fragile: Codec {
    Codec(
      decode: { stored in
        guard stored != 1 else { throw CacheError.undecodable(by: "fragile", reason: "1") }
        return stored + 10
      },
      encode: { value in
        guard value != 12 else { throw CacheError.unencodable(by: "fragile", reason: "12") }
        return value - 10
      })
  }
}
