import StrataNetwork

/// The three date formats of HTTP (RFC 9110, section 5.6.7).
enum HTTPDate {
  /// Returns the number of seconds from 1970-01-01 00:00 UTC to a date, or `nil` if the text isn't
  /// a date.
  ///
  /// Names of days and months may be in upper or lower case. The name of the day isn't compared
  /// with the date.
  ///
  /// - Parameter now: The current time, in seconds since 1970. It decides the century of a
  ///   two-digit year, which is never more than 50 years in the future.
  static func seconds(_ text: String, now: Int64) -> Int64? {
    var short = HTTPDateReader(text)
    if short.skipName(of: shortDays), short.skip(", ") { return short.standard() }
    var long = HTTPDateReader(text)
    if long.skipName(of: longDays), long.skip(", ") { return long.obsolete(now: now) }
    var plain = HTTPDateReader(text)
    return plain.skipName(of: shortDays) && plain.skip(" ") ? plain.asctime() : nil
  }

  /// Returns a time as text in the preferred format, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  static func text(_ seconds: Int64) -> String {
    let (days, rest) = seconds.quotient(flooringBy: 86_400)
    let (year, month, day) = civil(days)
    let time = [rest / 3600, rest / 60 % 60, rest % 60].map { padded($0, 2) }
    let name = shortDays[Int((days + 4).quotient(flooringBy: 7).rest)]
    let date = "\(padded(day, 2)) \(months[Int(month) - 1]) \(padded(year, 4))"
    return "\(name), \(date) \(time.joined(separator: ":")) GMT"
  }

  static let shortDays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  static let longDays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns the number of days from 1970-01-01 to a date in the Gregorian calendar.
  static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = year.quotient(flooringBy: 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, day) = (days + 719_468).quotient(flooringBy: 146_097)
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let number = month < 10 ? month + 3 : month - 9
    let extra: Int64 = number <= 2 ? 1 : 0
    return (year + era * 400 + extra, number, dayOfYear - (153 * month + 2) / 5 + 1)
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}

extension Int64 {
  /// Returns the quotient, rounded down, and the nonnegative remainder.
  func quotient(flooringBy divisor: Int64) -> (quotient: Int64, rest: Int64) {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}
