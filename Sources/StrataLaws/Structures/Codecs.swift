import StrataVerbs

extension Laws {
  /// A function that composes two codecs.
  public typealias Then = @Sendable (Codec<Int, Int>, Codec<Int, Int>) -> Codec<Int, Int>

  /// The laws of codecs, which form a category under `>>>`, and of `.inverse`, which swaps encoding
  /// and decoding.
  public static var codecs: Laws { codecs { $0 >>> $1 } }

  /// Returns laws that check your own functions for composing and inverting codecs.
  ///
  /// - Parameters:
  ///   - inverse: A function that swaps the directions of a codec.
  ///   - then: A function that composes two codecs.
  public static func codecs(
    inverse: @escaping @Sendable (Codec<Int, Int>) -> Codec<Int, Int> = { $0.inverse },
    _ then: @escaping Then
  ) -> Laws {
    func law(
      _ name: String, _ statement: String, _ sentence: String,
      _ left: @escaping @Sendable ([Codec<Int, Int>]) -> Codec<Int, Int>,
      is right: @escaping @Sendable ([Codec<Int, Int>]) -> Codec<Int, Int>
    ) -> Law {
      Law("codecs.\(name)", statement, sentence, draw: { CodecTrial(&$0) }) { trial in
        let (left, right) = (trial.lines(left(trial.codecs)), trial.lines(right(trial.codecs)))
        return left == right ? nil : LawEvidence(left: ("left", left), right: ("right", right))
      }
    }
    return Laws(
      "codecs",
      [
        law("associativity", "(a >>> b) >>> c == a >>> (b >>> c)", "Brackets have no effect.") {
          then(then($0[0], $0[1]), $0[2])
        } is: {
          then($0[0], then($0[1], $0[2]))
        },
        law("identity", ".identity >>> a == a == a >>> .identity", "The identity has no effect.") {
          then(.identity, then($0[0], .identity))
        } is: {
          $0[0]
        },
        law("involution", "a.inverse.inverse == a", "Inverting a codec twice has no effect.") {
          inverse(inverse($0[0]))
        } is: {
          $0[0]
        },
        law(
          "inversion", "(a >>> b).inverse == b.inverse >>> a.inverse",
          "The inverse of a composition composes the inverses in reverse order."
        ) {
          inverse(then($0[0], $0[1]))
        } is: {
          then(inverse($0[1]), inverse($0[0]))
        },
        law(
          "decoding", "(a >>> b).decoding == a.decoding >>> b.decoding",
          "The decoding of a composition is the composition of the decodings."
        ) {
          Codec(decode: then($0[0], $0[1]).decoding.transform, encode: { Promise($0) })
        } is: {
          Codec(decode: ($0[0].decoding >>> $0[1].decoding).transform, encode: { Promise($0) })
        },
      ])
  }

  /// Returns the law of a lossless codec: `decode(encode(v)) == v`.
  ///
  ///     try Laws.check(.codec("json", .json()) { Int.random(in: 0...9, using: &$0) })
  ///
  /// - Parameters:
  ///   - name: The name of the codec.
  ///   - codec: The codec.
  ///   - values: A closure that returns a random value.
  public static func codec<Stored, Value: Equatable>(
    _ name: String, _ codec: Codec<Stored, Value>,
    values: @escaping @Sendable (inout SeededGenerator) -> Value
  ) -> Laws {
    let law = Law(
      "codec.\(name)", "decode(encode(v)) == v", "Decoding an encoded value returns that value.",
      draw: { ValueTrial(value: values(&$0)) },
      judge: { trial in
        let back = settled(codec.encode(trial.value).flatMap(codec.decode))
        guard back?.value != trial.value else { return nil }
        let seen = back.map { $0.value.map { LawText.of($0) } ?? LawText.of($0) }
        var evidence = LawEvidence(
          left: ("read", [seen ?? "no answer"]), right: ("written", [LawText.of(trial.value)]))
        if let value = back?.value {
          evidence.notes = [LawText.difference(value, trial.value) ?? "Both look alike."]
        }
        return evidence
      })
    return Laws("codec", [law.waiting])
  }
}

/// Three random codecs, and a number that the laws encode and decode.
private struct CodecTrial: Trial {
  var choice: [Int]
  var number: Int

  init(_ random: inout SeededGenerator) {
    choice = (0..<3).map { _ in Int.random(in: 0..<4, using: &random) }
    number = Int.random(in: -3...30, using: &random)
  }

  var codecs: [Codec<Int, Int>] {
    let all: [Codec<Int, Int>] = [
      .identity, .shifted, .fragile,
      Codec(label: "doubled", decode: { $0 / 2 }, encode: { $0 * 2 }),
    ]
    return choice.map { all[$0] }
  }

  var simpler: [CodecTrial] {
    choice.indices.filter { choice[$0] != 0 }.map { index in
      var trial = self
      trial.choice[index] = 0
      return trial
    }
  }

  var size: Int { choice.filter { $0 != 0 }.count }
  var lines: [String] { codecs.map(\.label) + ["\(number)"] }

  func lines(_ codec: Codec<Int, Int>) -> [String] {
    func text(_ promise: Promise<Int>) -> String {
      promise.outcome.map { "\(LawObservation.Answer($0))" } ?? "no answer"
    }
    return ["decode: \(text(codec.decode(number)))", "encode: \(text(codec.encode(number)))"]
  }
}

/// A random value, which has no simpler variants.
private struct ValueTrial<Value: Sendable>: Trial {
  let value: Value
  var simpler: [ValueTrial] { [] }
  var size: Int { 1 }
  var lines: [String] { [LawText.of(value)] }
}

/// Waits for a promise, and returns its outcome, or `nil` if it doesn't settle in time.
func settled<Value>(_ promise: Promise<Value>) -> Promise<Value>.Outcome? {
  Patience().wait(for: promise)
  return promise.outcome
}
