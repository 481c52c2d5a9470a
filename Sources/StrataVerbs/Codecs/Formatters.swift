import Foundation

extension Codec where Stored == String, Value == Date {
  /// Returns a codec that stores dates as formatted text.
  ///
  ///     let formatter = DateFormatter()
  ///     formatter.dateFormat = "yyyy-MM-dd"
  ///     let days: Cache<String, Date> = .disk("days") <*> .utf8 >>> .date(formatter)
  ///
  /// - Parameter formatter: The formatter for decoding and encoding. Don't change the formatter
  ///   after this call.
  /// - Returns: A codec. When the text isn't a date, decoding fails with
  ///   ``CacheError/undecodable(by:reason:)``, which contains at most 200 characters of the text.
  ///   If a date is more than 31,000 years away, encoding fails with
  ///   ``CacheError/unencodable(by:reason:)``.
  /// - Law: `encode(decode(t)) == t` for any text `t` that the formatter produced. See `CodecLaws`.
  public static func date(_ formatter: DateFormatter) -> Codec {
    Codec(
      label: "date",
      decode: { text throws -> Date in
        guard let date = formatter.date(from: text) else {
          throw CacheError.undecodable(by: "date", reason: bounded("\"\(text)\" is not a date"))
        }
        return date
      },
      encode: { date throws -> String in
        guard date.timeIntervalSince1970.magnitude < 1e12 else {
          throw CacheError.unencodable(by: "date", reason: "the date isn't within 31,000 years")
        }
        return formatter.string(from: date)
      })
  }
}

extension Codec where Stored == String, Value == Double {
  /// Returns a codec that stores numbers as formatted text.
  ///
  /// Note that the formatter rounds each number to its `maximumFractionDigits`. On Linux, it also
  /// accepts text that only begins with a number, and ignores the rest.
  ///
  ///     let formatter = NumberFormatter()
  ///     formatter.maximumFractionDigits = 4
  ///     let prices: Cache<String, Double> = .disk("prices") <*> .utf8 >>> .number(formatter)
  ///
  /// - Parameter formatter: The formatter for decoding and encoding. Don't change the formatter
  ///   after this call.
  /// - Returns: A codec. When the text isn't a number, decoding fails with
  ///   ``CacheError/undecodable(by:reason:)``, which contains at most 200 characters of the text.
  ///   Encoding fails with ``CacheError/unencodable(by:reason:)`` if the formatted text doesn't
  ///   decode to a number near the original number. The decoded number is near if it differs by at
  ///   most 1, or by at most half of the original number's absolute value.
  /// - Law: `encode(decode(t)) == t` for any text `t` that the formatter produced. See `CodecLaws`.
  public static func number(_ formatter: NumberFormatter) -> Codec {
    Codec(
      label: "number",
      decode: { text throws -> Double in
        guard let number = formatter.number(from: text) else {
          throw CacheError.undecodable(
            by: "number", reason: bounded("\"\(text)\" is not a number"))
        }
        return number.doubleValue
      },
      encode: { number throws -> String in
        guard let text = formatter.string(from: NSNumber(value: number)),
          let back = formatter.number(from: text)?.doubleValue,
          abs(back - number) <= max(1, abs(number) / 2)
        else { throw CacheError.unencodable(by: "number", reason: "no text decodes to \(number)") }
        return text
      })
  }
}
