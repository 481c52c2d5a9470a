extension Confusion {
  /// Groups of keys that file systems, URLs, SQL, JSON, C strings, or key-value servers may
  /// confuse.
  static let all: [Confusion] = ofFiles + ofText + ofNumbers + ofLengths + [ofURLs] + ofLanguages

  private static let ofFiles = [
    Confusion(
      ["a/b", "a:b", "a_b", "a-b", "a|b", "a\\b", "a.b", "a b", "a+b", "a,b", "a%2Fb", "ab"],
      source: "POSIX.1-2024, 3.254 Pathname; Microsoft, Naming Files, Paths, and Namespaces"),
    Confusion(
      ["q?", "q*", "q<", "q>", "q\"", "q'", "q`", "q;", "q&", "q=", "q#", "q@", "q!", "q~", "q$"],
      source: "Microsoft, Naming Files, Paths, and Namespaces; POSIX.1-2024, Shell Command Language"
    ),
    Confusion(
      ["abc", "a/bc", "ab/c", "a/b/c", "ab/", "/ab", "a//b"],
      source: "POSIX.1-2024, 4.16 Pathname Resolution; concatenation of parts without a separator"),
    Confusion(
      ["", ".", "..", "d", "./d", "d/.", "d/", "/d", "//d", "../d", "x/../d", ".d", "~", "/"],
      source: "POSIX.1-2024, 4.16 Pathname Resolution; RFC 3986, 5.2.4 Remove Dot Segments"),
    Confusion(
      ["con", "CON", "con.txt", "nul", "NUL", "aux", "COM1", "COM\u{b9}", "lpt1"],
      source: "Microsoft, Naming Files, Paths, and Namespaces"),
    Confusion(
      ["s", "s ", " s", "s.", "s\t", "s\n", "s\r\n", "s\r", "s\u{a0}", "s  "],
      source: "ISO/IEC 9075-2, PAD SPACE; Microsoft, Naming Files; RFC 9110, 5.6.3 Whitespace"),
    Confusion(
      ["k", "k1", "k11", "k1/", "k1.tmp", "k1.json", "k1~", "k1-journal", "k1.lock", "k2"],
      source: "Redis, KEYS; Amazon S3, prefixes; SQLite, Temporary Files; atomic writes"),
  ]

  private static let ofText = [
    Confusion(
      ["Nan", "nan", "NAN", "I", "i", "\u{131}", "\u{130}", "stra\u{df}e", "strasse", "STRASSE"],
      source: "Unicode, CaseFolding.txt and SpecialCasing.txt; Apple, File System Details"),
    Confusion(
      ["A1", "\u{ff21}\u{ff11}", "A\u{b9}", "fi", "\u{fb01}", "\u{2460}", "\u{3f2}", "\u{3c3}"],
      source: "UAX #15, compatibility equivalence; MySQL, utf8mb4 collations"),
    Confusion(
      spellings: [
        ["e\u{301}", "\u{e9}"], ["e"], ["\u{e8}", "e\u{300}"],
        ["\u{1e0b}\u{323}", "d\u{323}\u{307}"],
        ["\u{212b}", "\u{c5}", "A\u{30a}"], ["\u{ac00}", "\u{1100}\u{1161}"], ["\u{1100}"],
      ], source: "UAX #15, canonical equivalence; Apple TN1150, HFS Plus Volume Format"),
    Confusion(
      [
        "z", "z\u{200b}", "z\u{200d}", "z\u{feff}", "\u{feff}z", "z\u{ad}", "z\u{fe0f}", "\u{200b}",
      ],
      source: "UTS #39, default-ignorable code points; UTS #10, ignorable characters"),
    Confusion(
      ["x?", "x\u{fffd}", "x\u{fc}", "x\u{fb}", "x", "\u{1f600}", "\u{1f601}", "?"],
      source: "UTR #36, 3.1 and 3.5: lossy conversions to another encoding; MySQL, utf8mb3"),
    Confusion(
      ["n", "n\0", "n\0a", "n\0b", "\0", "\0n"], source: "ISO/IEC 9899, 7.1.1: C strings end at NUL"
    ),
  ]

  private static let ofNumbers = [
    Confusion(
      ["1", "01", "1.0", "+1", "1e0", "0x1", "\u{661}", "\u{ff11}", "1 ", "true"],
      source: "RFC 8259, 6 Numbers; SQLite, Datatypes: column affinity; PHP, numeric string keys"),
    Confusion(
      ["0", "-0", "00", "0.0", "-1", "null", "nil", "undefined", "None", "NULL"],
      source: "ECMA-262, ToPropertyKey; RFC 8259, 3 Values; YAML 1.2, 10.2 JSON Schema"),
    Confusion(
      ["9007199254740992", "9007199254740993", "18446744073709551616", "340282366920938463463"],
      source: "RFC 8259, 6 Numbers; IEEE 754 binary64"),
    Confusion(
      ["Aa", "BB", "AaAa", "BBBB", "AaBB", "BBAa"],
      source: "Java SE, String.hashCode: different strings with one hash"),
  ]

  private static let ofLengths = [
    Confusion(
      "l", lengths: [249, 250, 251, 254, 255, 256, 257], suffixes: ["1", "2"],
      source: "POSIX.1-2024, NAME_MAX; memcached, protocol.txt: keys of 250 bytes"),
    Confusion(
      "m", lengths: [1023, 1024, 1025, 4095, 4096, 4097], suffixes: ["1", "2"],
      source: "POSIX.1-2024, PATH_MAX; Amazon S3, object keys of 1,024 bytes"),
    Confusion(
      ["x", "y", "xx"].map { middle in
        String(repeating: "head", count: 10) + middle + String(repeating: "tail", count: 10)
      },
      source: "hashes of the first and last characters and the length, as in Foundation's NSString"),
    Confusion(
      ["aaa", "aaG", "aab", "aaH", "AAA", "AAg", "aabb", "aaHb"],
      source: "RFC 4648, base64 in a store that ignores case: equal names for different keys"),
    Confusion(
      "\u{fc}", lengths: [127, 128, 255, 256], suffixes: ["1", "2"],
      source: "POSIX.1-2024, NAME_MAX: bytes, not characters"),
  ]

  /// URLs that differ in only a small detail, such as a trailing slash.
  static let ofURLs = Confusion(
    [
      "http://h/p", "http://h/p/", "http://h/p?", "http://h/p#f", "HTTP://h/p", "http://H/p",
      "http://h:80/p", "http://h//p", "http://h/%70", "http://h/p?a=1&b=2", "http://h/p?b=2&a=1",
      "https://h/p", "http://h/P", "http://h/q/../p", "http://h/a%2Fb", "http://h/a%2fb",
      "http://h/a/b", "http://u@h/p", "http://h/aaa", "http://h/aaG",
    ],
    source: "RFC 3986, 6.2 Comparison Ladder; WHATWG URL Standard, 4.4 URL parsing; RFC 4648")

  private static let ofLanguages = [
    Confusion(
      ["%", "%25", "%252F", "%2F", "%2f", "%00", "%20", "+", " "],
      source: "RFC 3986, 2.1 Percent-Encoding; WHATWG URL, application/x-www-form-urlencoded"),
    Confusion(
      ["o'", "o''", "o\"", "o%", "o_", "o*", "o?", "o[a]", "o--", "o;", "oa"],
      source: "ISO/IEC 9075-2, LIKE and character string literals; SQLite, GLOB"),
    Confusion(
      ["j\"", "j\\\"", "j\\", "j\\\\", "j\\u0041", "jA", "j\\/", "j/", "j\\n", "j\n"],
      source: "RFC 8259, 7 Strings"),
    Confusion(
      ["__proto__", "constructor", "toString", "hasOwnProperty", "length", "a.b.c", "a[b]", "$a"],
      source: "ECMA-262, Object.prototype; MongoDB, field names; UserDefaults, key paths"),
    Confusion(
      ["t k", "t\r\nk", "t\u{7f}k", "t\u{1}k", "{t}k", "{t}l", "t*", "t?", "t:k", "t::k"],
      source: "memcached, protocol.txt; Redis, KEYS patterns and Cluster hash tags"),
  ]
}
