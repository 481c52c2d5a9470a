extension Codec {
  /// Lifts a codec to stamped values: the value is read and written through it, its age is kept.
  ///
  ///     let articles: Codec<Stamped<Data>, Stamped<Article>> = .stamped(.json())
  ///
  /// - Parameter codec: What reads and writes the values; its failures are the result's.
  /// - Law: `.stamped(.identity) == .identity` and
  ///   `.stamped(a >>> b) == .stamped(a) >>> .stamped(b)`; birth and deadline stay:
  ///   `stamps.identity`, `stamps.composition`, `stamps.age`; see `StampedLaws`.
  public static func stamped<StoredPlain, Plain>(
    _ codec: Codec<StoredPlain, Plain>
  ) -> Codec where Stored == Stamped<StoredPlain>, Value == Stamped<Plain> {
    Codec(
      label: "stamped(\(codec.label))",
      decode: { stored in
        codec.decode(stored.value).map {
          Stamped($0, storedAt: stored.storedAt, expiresAt: stored.expiresAt)
        }
      },
      encode: { value in
        codec.encode(value.value).map {
          Stamped($0, storedAt: value.storedAt, expiresAt: value.expiresAt)
        }
      })
  }
}
