import StrataCore

/// A script that the server runs atomically.
struct RedisScript: Sendable {
  let text: String
  /// The SHA-1 digest of the text. The server identifies the script by this digest.
  let digest: String

  /// Returns the record of a key. If the key has no record, stores a lease and returns the lease's
  /// record. A lease also replaces the record that the last argument contains, and a value that
  /// can't be a record. With the epoch's key, a lease also replaces a record of another epoch.
  /// Without the epoch's key, a record of another epoch may be newer than the first argument, so a
  /// lease doesn't replace it.
  ///
  /// The first key is the record's key. The second key is the epoch's key, which is omitted if
  /// another server stores the epoch. The first argument is the epoch that the script uses if the
  /// second key is omitted or has no value. If the second key has no value, the script also stores
  /// the first argument under the second key. The other arguments are the token of the lease, the
  /// trailer of the lease, the lifetime of the lease in milliseconds, and a record that a lease may
  /// replace. The script returns the epoch and the record.
  static let lease = RedisScript(
    text: """
      local epoch = KEYS[2] and redis.call('GET', KEYS[2])
      if not epoch then
        epoch = ARGV[1]
        if KEYS[2] then redis.call('SET', KEYS[2], epoch) end
      end
      local record = redis.pcall('GET', KEYS[1])
      if type(record) == 'string' and #record >= 33 and record ~= ARGV[5]
        and not (KEYS[2] and string.sub(record, -33, -26) ~= epoch) then return {epoch, record} end
      record = ARGV[2] .. epoch .. ARGV[3]
      redis.call('SET', KEYS[1], record, 'PX', ARGV[4])
      return {epoch, record}
      """,
    digest: "9b3df90b26afe90d2862822405218294e7749ec4")

  /// Replaces the end of a record, after the value, to add, replace, or remove a lease. A record
  /// that would be empty is removed.
  ///
  /// The only key of the script is the record's key. The arguments are the expected bytes, the new
  /// bytes, and the minimum remaining lifetime of the record in milliseconds. If the record doesn't
  /// end with the expected bytes, the script changes nothing and returns 0. Otherwise, the script
  /// returns 1.
  static let replaceEnding = RedisScript(
    text: """
      local record = redis.pcall('GET', KEYS[1])
      if type(record) ~= 'string' or string.sub(record, -#ARGV[1]) ~= ARGV[1] then return 0 end
      record = string.sub(record, 1, -#ARGV[1] - 1) .. ARGV[2]
      local lifetime = redis.call('PTTL', KEYS[1])
      if record == '' then redis.call('DEL', KEYS[1])
      elseif lifetime < 0 then redis.call('SET', KEYS[1], record)
      else redis.call('SET', KEYS[1], record, 'PX', math.max(lifetime, tonumber(ARGV[3]))) end
      return 1
      """,
    digest: "e63765bf1e64dcda06935edd3f39479381ffe683")

  /// Replaces a lease with a value of the same epoch, if the lease still exists. If the record is a
  /// value with a lease, the new value replaces both.
  ///
  /// If the epoch and the record are on different servers, the script can't check whether a `clear`
  /// has changed the epoch. A value stored after an undetected `clear` contains the old epoch, so
  /// no get returns the value.
  ///
  /// The first key is the record's key. The second key is the epoch's key, which is omitted if
  /// another server stores the epoch. The arguments are the lease's token, the lease's epoch, the
  /// lease's trailer, the value, the value's trailer, and the value's lifetime in milliseconds. The
  /// lifetime is an empty string for a value without a deadline. The script returns 1 if it stored
  /// the value, and 0 otherwise.
  static let fill = RedisScript(
    text: """
      if KEYS[2] and redis.call('GET', KEYS[2]) ~= ARGV[2] then return 0 end
      local record, lease = redis.pcall('GET', KEYS[1]), ARGV[1] .. ARGV[2] .. ARGV[3]
      if type(record) ~= 'string' or string.sub(record, -#lease) ~= lease then return 0 end
      record = ARGV[4] .. ARGV[2] .. ARGV[5]
      if ARGV[6] == '' then redis.call('SET', KEYS[1], record)
      else redis.call('SET', KEYS[1], record, 'PX', ARGV[6]) end
      return 1
      """,
    digest: "3bf68644b5cf6dbf5f3559c168ae53c285b40266")
}

extension RedisClient {
  /// Runs a script whose first key is the key of a record. Sends the script's text only if the
  /// server hasn't loaded the script yet.
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
