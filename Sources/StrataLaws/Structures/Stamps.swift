import StrataVerbs

extension Laws {
  /// A function that turns a codec for values into a codec for stamped values.
  package typealias Lift =
    @Sendable (Codec<Int, Int>) -> Codec<Stamped<Int>, Stamped<Int>>

  /// The laws of `Codec.stamped`: it preserves the identity codec, compositions of codecs, creation
  /// times, and deadlines.
  package static var stamps: Laws { stamps { .stamped($0) } }

  /// Returns the laws of a function that turns a codec for values into a codec for stamped values.
  package static func stamps(_ lift: @escaping Lift) -> Laws {
    func law(
      _ name: String, _ statement: String, _ sentence: String,
      _ left: @escaping @Sendable (StampTrial) -> Codec<Stamped<Int>, Stamped<Int>>,
      is right: @escaping @Sendable (StampTrial) -> Codec<Stamped<Int>, Stamped<Int>>
    ) -> Law {
      Law("stamps.\(name)", statement, sentence, draw: { StampTrial(&$0) }) { trial in
        let (left, right) = (trial.lines(left(trial)), trial.lines(right(trial)))
        return left == right ? nil : LawEvidence(left: ("left", left), right: ("right", right))
      }
    }
    return Laws(
      "stamps",
      [
        law(
          "identity", ".stamped(.identity) == .identity", "The identity has no effect.",
          { _ in lift(.identity) }, is: { _ in .identity }),
        law(
          "composition", ".stamped(a >>> b) == .stamped(a) >>> .stamped(b)",
          "Lifting a composition equals composing the lifted codecs.",
          { lift($0.first >>> $0.second) }, is: { lift($0.first) >>> lift($0.second) }),
        law(
          "age", ".stamped(a).decode(v): a.decode(v.value), as old as v",
          "A lifted codec doesn't change the creation time or the deadline.", { lift($0.first) },
          is: { $0.defined }
        ),
      ])
  }
}

/// Two random codecs, and a stamped value that the laws encode and decode.
struct StampTrial: Trial {
  var (firstIsFragile, secondIsFragile) = (false, false)
  var value: Stamped<Int>

  init(_ random: inout SeededGenerator) {
    firstIsFragile = Bool.random(using: &random)
    secondIsFragile = Bool.random(using: &random)
    func moment() -> TimeSource.Instant {
      .init(sinceEpoch: .nanoseconds(Int.random(in: -3...1 << 62, using: &random)))
    }
    value = Stamped(
      Int.random(in: -3...30, using: &random), storedAt: moment(),
      expiresAt: Bool.random(using: &random) ? moment() : nil)
  }

  var first: Codec<Int, Int> { firstIsFragile ? .fragile : .shifted }
  var second: Codec<Int, Int> { secondIsFragile ? .fragile : .shifted }

  var defined: Codec<Stamped<Int>, Stamped<Int>> {
    let (first, value) = (first, value)
    return Codec(
      decode: { stamped in
        first.decode(stamped.value).map {
          Stamped($0, storedAt: value.storedAt, expiresAt: value.expiresAt)
        }
      },
      encode: { stamped in
        first.encode(stamped.value).map {
          Stamped($0, storedAt: value.storedAt, expiresAt: value.expiresAt)
        }
      })
  }

  var simpler: [StampTrial] { [] }
  var size: Int { 1 }
  var lines: [String] { ["\(first.label), \(second.label)", "\(value)"] }

  func lines(_ codec: Codec<Stamped<Int>, Stamped<Int>>) -> [String] {
    func text(_ promise: Promise<Stamped<Int>>) -> String {
      promise.outcome.map { "\($0)" } ?? "no answer"
    }
    return ["decode: \(text(codec.decode(value)))", "encode: \(text(codec.encode(value)))"]
  }
}
