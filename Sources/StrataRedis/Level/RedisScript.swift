import StrataCore

/// A script that the server runs atomically.
struct RedisScript: Sendable {
  let text: String
  /// The SHA-1 digest of the text. By this digest, the server identifies the script.
  let digest: String

  /// Returns the record of a key. When the record contains a value, returns 0 instead, because a
  /// script would copy the value. Stores a lease and returns it when the key has no record.
  ///
  /// The lease also replaces a record that ends with the last argument, and a value that can't be a
  /// record. When the epoch's key is passed, the lease replaces a record of another epoch as well.
  /// If this key isn't passed, such a record may be newer than the first argument, so the lease
  /// doesn't replace it.
  ///
  /// Keys: the record's key, and the epoch's key, which is omitted if another server stores the
  /// epoch.
  ///
  /// The first argument is the epoch to use if the second key is omitted or has no value. A second
  /// key without a value receives this epoch as its value. The next three are the lease's token,
  /// its trailer, and its lifetime in milliseconds. The last argument is the end of a record that
  /// the lease may replace, or empty. The script returns the epoch and the record.
  static let lease = RedisScript(
    text: """
      local epoch = KEYS[2] and redis.call('GET', KEYS[2])
      if not epoch then
        epoch = ARGV[1]
        if KEYS[2] then redis.call('SET', KEYS[2], epoch) end
      end
      local ending, replaced = redis.pcall('GETRANGE', KEYS[1], -33, -1), ARGV[5]
      if type(ending) == 'string' and #ending == 33
        and not (KEYS[2] and string.sub(ending, 1, 8) ~= epoch)
        and (replaced == '' or redis.call('GETRANGE', KEYS[1], -#replaced, -1) ~= replaced) then
        if redis.call('STRLEN', KEYS[1]) > 41 then return {epoch, 0} end
        return {epoch, redis.call('GET', KEYS[1])}
      end
      local record = ARGV[2] .. epoch .. ARGV[3]
      redis.call('SET', KEYS[1], record, 'PX', ARGV[4])
      return {epoch, record}
      """,
    digest: "3289c1fabdc8cac5a75965fe7882c39a22833bb3")

  /// Replaces the end of a record in place, to add, replace, or end a lease. Without new bytes, it
  /// removes the record, which must then consist of only the expected bytes.
  ///
  /// Its only key is the record's key. Its arguments are the expected bytes, the new bytes (none,
  /// or at least as many), and the minimum remaining lifetime of the record in milliseconds. When
  /// the record ends with the expected bytes, the script replaces them and returns 1. Otherwise, it
  /// changes nothing and returns 0.
  static let replaceEnding = RedisScript(
    text: """
      local size, old, new = redis.pcall('STRLEN', KEYS[1]), ARGV[1], ARGV[2]
      if type(size) ~= 'number' or redis.call('GETRANGE', KEYS[1], -#old, -1) ~= old then return 0 end
      if new == '' then return size == #old and redis.call('DEL', KEYS[1]) or 0 end
      local lifetime = redis.call('PTTL', KEYS[1])
      redis.call('SETRANGE', KEYS[1], size - #old, new)
      if lifetime >= 0 and lifetime < tonumber(ARGV[3]) then
        redis.call('PEXPIRE', KEYS[1], ARGV[3])
      end
      return 1
      """,
    digest: "69629133ba7cf4a1ce5c1143eac011f4ff111baf")

  /// Replaces a lease with a value of the same epoch, if the lease still exists. When the record is
  /// a value with a lease, the new value replaces both.
  ///
  /// When the epoch and the record are on different servers, the script can't check whether a
  /// `clear` has changed the epoch. That's harmless, because the stored value then contains the old
  /// epoch, so no get returns it.
  ///
  /// Its keys are the record's key and the epoch's key, which is omitted if another server stores
  /// the epoch. The arguments are the lease's epoch, the end of the record with the lease, the new
  /// record, and its lifetime in milliseconds. This lifetime is an empty string for a value without
  /// a deadline. The script returns 1 if it stored the value, and 0 otherwise.
  static let fill = RedisScript(
    text: """
      if KEYS[2] and redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
      if redis.pcall('GETRANGE', KEYS[1], -#ARGV[2], -1) ~= ARGV[2] then return 0 end
      if ARGV[4] == '' then redis.call('SET', KEYS[1], ARGV[3])
      else redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4]) end
      return 1
      """,
    digest: "fc73203eced2c5063176bed6793e2d7f08ef3ac7")
}

extension RedisClient {
  /// Runs a script whose first key is the key of a record. Sends the script's text only if the
  /// server doesn't have it yet.
  func run(
    _ script: RedisScript, keys: [[UInt8]], _ arguments: [[UInt8]], by deadline: Int64
  ) -> Promise<RedisReply> {
    @Sendable func request(_ command: String, _ script: String) -> [[UInt8]] {
      [Array(command.utf8), Array(script.utf8), Array("\(keys.count)".utf8)] + keys + arguments
    }
    @Sendable func send(_ request: [[UInt8]]) -> Promise<RedisReply> {
      command(request, key: keys[0], isRepeatable: true, by: deadline)
    }
    return send(request("EVALSHA", script.digest)).recover { error in
      guard case RedisError.server("NOSCRIPT", _) = error else { throw error }
      return send(request("EVAL", script.text))
    }
  }
}
