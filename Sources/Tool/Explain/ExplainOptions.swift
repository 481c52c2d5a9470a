import Strata
import StrataExplain

/// The options of `explain`.
struct ExplainOptions: Sendable {
  var subject = ExplainSubject.all[0]
  var forms: [ExplainForm] = []
  var svg: OutputFile?
  var isTrace = false

  init(_ arguments: [String]) throws {
    var reader = ArgumentReader(arguments)
    var names: [String] = []
    while let argument = try reader.next() {
      switch argument {
      case "--form": forms += try reader.list(after: argument).flatMap(Self.forms)
      case "--svg": svg = try reader.file(after: argument)
      case "--trace": isTrace = true
      case _ where argument.hasPrefix("-") && argument != "-":
        throw UsageError.argument(argument, of: "explain")
      default: names.append(argument)
      }
    }
    if let name = names.first { subject = try Self.subject(name) }
    if let more = names.dropFirst().first ?? (isTrace ? names.first : nil) {
      throw UsageError.excess(more, of: "explain", limit: "one pipeline, or --trace")
    }
    if isTrace, let form = forms.first?.rawValue {
      throw UsageError.excess(form, of: "explain --trace", limit: "no form")
    }
    if forms.isEmpty { forms = ExplainForm.allCases }
  }

  private static func subject(_ name: String) throws -> ExplainSubject {
    if name == "-" { return .input }
    if let subject = ExplainSubject.all.first(where: { $0.name == name }) { return subject }
    throw UsageError.name(name, of: "pipeline", known: ExplainSubject.names + ["-"])
  }

  private static func forms(_ name: String) throws -> [ExplainForm] {
    if name == "all" { return ExplainForm.allCases }
    guard let form = ExplainForm(rawValue: name) else {
      throw UsageError.value(
        name, of: "--form", expected: "one of \(ExplainForm.names.joined(separator: ", ")), all")
    }
    return [form]
  }

  /// Prints the plan in each requested format, below the name of the format. When there is only one
  /// format, its name isn't printed.
  func run(on console: Console) async throws {
    try svg?.check()
    if isTrace { return try await ExplainTrace.run(svg: svg, on: console) }
    let plan = try subject.plan()
    if let svg { return try svg.write(plan.svg) }
    if forms.count == 1 { return try console.print(forms[0].text(of: plan)) }
    for form in forms {
      try console.print("\(form.rawValue):".colored(.bold, if: console.isColored))
      try console.print(form.text(of: plan) + "\n")
    }
  }
}
