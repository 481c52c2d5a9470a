import Foundation

extension Codec where Stored == String, Value == Date {
  /// Dates as text, as a formatter reads and writes them.
  ///
  ///     let formatter = DateFormatter()
  ///     formatter.dateFormat = "yyyy-MM-dd"
  ///     let days: Cache<String, Date> = .disk("days") <*> .utf8 >>> .date(formatter)
  ///
  /// - Parameter formatter: Do not change it afterwards.
  /// - Returns: A codec that fails with ``CacheError/undecodable(by:reason:)`` for text that is no
  ///   date, with at most 200 characters of it.
  /// - Law: `encode(decode(t)) == t` for text that the formatter wrote; see `CodecLaws`.
  public static func date(_ formatter: DateFormatter) -> Codec {
    Codec(
      label: "date",
      decode: { text throws -> Date in
        guard let date = formatter.date(from: text) else {
          throw CacheError.undecodable(by: "date", reason: bounded("\"\(text)\" is not a date"))
        }
        return date
      },
      encode: { date throws -> String in formatter.string(from: date) })
  }
}

extension Codec where Stored == String, Value == Double {
  /// Numbers as text, as a formatter reads and writes them.
  ///
  /// The formatter's limits decide what is kept: digits beyond its `maximumFractionDigits` are not
  /// written. On Linux a formatter takes text that only begins with a number for that number.
  ///
  ///     let formatter = NumberFormatter()
  ///     formatter.maximumFractionDigits = 4
  ///     let prices: Cache<String, Double> = .disk("prices") <*> .utf8 >>> .number(formatter)
  ///
  /// - Parameter formatter: Do not change it afterwards.
  /// - Returns: A codec that fails with ``CacheError/undecodable(by:reason:)`` for text that is no
  ///   number, with at most 200 characters of it, and with ``CacheError/unencodable(by:reason:)``
  ///   for a number without text, or with one that reads back as another: further off than one and
  ///   than half of it.
  /// - Law: `encode(decode(t)) == t` for text that the formatter wrote; see `CodecLaws`.
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
        else { throw CacheError.unencodable(by: "number", reason: "no text for \(number)") }
        return text
      })
  }
}
