extension Codec {
  /// Returns a codec for stamped values, which converts the plain value with another codec, and
  /// copies the creation time and the deadline.
  ///
  ///     let articles: Codec<Stamped<Data>, Stamped<Article>> = .stamped(.json())
  ///
  /// - Parameter codec: The codec for the plain values. When it fails, the stamped codec fails with
  ///   the same error.
  /// - Law: `.stamped(.identity) == .identity`, `.stamped(a >>> b) == .stamped(a) >>> .stamped(b)`,
  ///   and the stamps don't change. See the laws `stamps.identity`, `stamps.composition`, and
  ///   `stamps.age` in `StampedLaws`.
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
