// Plants mutants in a source file. Each mutant changes the source in one place. For example, a
// mutant negates a condition, replaces `<` with `<=`, adds one to a number, drops a call, swaps two
// arguments, or removes a lock. One program contains all mutants, so all mutants need only one
// build. The environment variable STRATA_MUTANT activates one mutant.
//
// Usage: `mutate FIRST SKIPPED FILE`. The program plants mutants in FILE and numbers them,
// beginning with FIRST. The file SKIPPED contains the mutants that the program doesn't plant. For
// each planted mutant, the program prints a line: number, file, line, kind, and source.
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 4, var number = Int(arguments[1]) else { exit(2) }
let file = arguments[3]
let skipped = Set(
  ((try? String(contentsOfFile: arguments[2], encoding: .utf8)) ?? "").split(separator: "\n"))
let source = try String(contentsOfFile: file, encoding: .utf8)

/// A replacement for the first match of a pattern. In the template, `$n` is the number of the
/// mutant, and `$1`, `$2`, and so on are the groups of the pattern.
struct Mutation {
  let kind: String
  let pattern: String
  let template: String
}

let operand = #"([\w.!\[\]$]+(?:\([\w.]*\))?(?: [-+*] [\w.]+)?)"#
let start = #"(?<=(?:if|guard|while|return|where|,|&&|\|\||\?|=|\{|\() )"#
let keywords =
  "return|let|var|case|self\\.init|super|precondition|func|init|else|default|guard|defer|throw|"
  + "for|if|while|switch|try "
let comparisons = [("<", "<="), ("<=", "<"), (">", ">="), (">=", ">"), ("==", "!="), ("!=", "==")]
var mutations = comparisons.map { old, new in
  Mutation(
    kind: "\(old) as \(new)",
    pattern:
      start + "\(operand) \(old) \(operand)(?= |,|$|\\))",
    template: "(mutant($n) ? $1 \(new) $2 : $1 \(old) $2)")
}
mutations += [
  Mutation(
    kind: "negated",
    pattern:
      #"(?<=^| )(if|guard|while) (?!true |let |var |case |#|.*[,{(].*\{.*\{)([^,{]+?) (else \{|\{)"#,
    template: "$1 mutant($n) != ($2) $3"),
  Mutation(
    kind: "off by one", pattern: #"(?<= [-+] |= |\.\.<|\.\.\.)([0-9]+)(?![\w.])"#,
    template: "(mutant($n) ? $1 + 1 : $1)"),
  Mutation(
    kind: "dropped call",
    pattern:
      "^( +)((?!\(keywords))[\\w.?!]+\\(.*\\))$",
    template: "$1if !mutant($n) { $2 }"),
  Mutation(
    kind: "swapped", pattern: #"(?<![\w.])(?!min\(|max\()(\w+(?:\.\w+)*)\((\w+), (\w+)\)"#,
    template: "(mutant($n) ? $1($3, $2) : $1($2, $3))"),
  Mutation(
    kind: "removed lock", pattern: #"\.withLock \{"#, template: ".withLock(unless: mutant($n)) {"),
]

func isCode(_ line: String) -> Bool {
  let text = line.trimmingCharacters(in: .whitespaces)
  let heads = [
    "//", "@", "import ", "extension ", "public func", "func ", "init(", "public init", "case ",
    "private func",
  ]
  return !text.isEmpty && !heads.contains { text.hasPrefix($0) } && !text.contains(" func ")
    && !text.contains(" init(")
}

var lines = source.components(separatedBy: "\n")
for index in lines.indices where isCode(lines[index]) {
  let line = lines[index]
  for mutation in mutations {
    let expression = try NSRegularExpression(pattern: mutation.pattern)
    guard
      let match = expression.firstMatch(in: line, range: NSRange(line.startIndex..., in: line))
    else { continue }
    guard !skipped.contains("\(file):\(index + 1):\(mutation.kind)") else { continue }
    // Each line gets at most one mutation. If the mutant doesn't compile, the next round tries
    // another mutation.
    guard lines[index] == line else { continue }
    let template = mutation.template.replacingOccurrences(of: "$n", with: "\(number)")
    lines[index] =
      (line as NSString).replacingCharacters(
        in: match.range,
        with: expression.replacementString(
          for: match, in: line, offset: 0, template: template))
    let text = line.trimmingCharacters(in: .whitespaces)
    print("\(number)\t\(file)\t\(index + 1)\t\(mutation.kind)\t\(text)")
    number += 1
  }
}
try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
