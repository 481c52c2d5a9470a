import StrataVerbs

/// Carlos's name for a cache made of functions. Here, `set` takes the key before the value.
public typealias BasicCache<Key: Hashable & Sendable, Value: Sendable> = Cache<Key, Value>

/// Carlos's name for a fetcher made of a function.
public typealias BasicFetcher<Key: Hashable & Sendable, Value: Sendable> = Fetcher<Key, Value>

/// Carlos's name for a transformation in one direction.
public typealias OneWayTransformationBox<Input: Sendable, Output: Sendable> = Transformer<
  Input, Output
>

/// Carlos's name for a transformation in both directions. The stored type comes first.
public typealias TwoWayTransformationBox<Stored: Sendable, Value: Sendable> = Codec<Stored, Value>
