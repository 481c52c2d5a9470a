import Strata

/// What is explained, and in which forms.
struct ExplainOptions: Sendable {
  var subject = ExplainSubject.all[0]
  var forms: [ExplainForm] = []
  var svg: String?
  var isTrace = false

  init(_ arguments: [String]) throws {
    var reader = ArgumentReader(arguments, of: "explain")
    while let argument = reader.next() {
      switch argument {
      case "--form": forms += try reader.list(after: argument).flatMap(Self.forms)
      case "--svg": svg = try reader.value(after: argument)
      case "--trace": isTrace = true
      case "-": subject = .input
      default:
        guard let named = ExplainSubject.all.first(where: { $0.name == argument }) else {
          throw UsageError.argument(argument, of: "explain")
        }
        subject = named
      }
    }
    if forms.isEmpty { forms = ExplainForm.allCases }
  }

  private static func forms(_ name: String) throws -> [ExplainForm] {
    if name == "all" { return ExplainForm.allCases }
    guard let form = ExplainForm(rawValue: name) else {
      throw UsageError.value(
        name, of: "--form", expected: "one of \(ExplainForm.names.joined(separator: ", ")), all")
    }
    return [form]
  }

  /// Shows each form under its name, or one form by itself.
  func run(on console: Console) async throws {
    if isTrace { return try await ExplainTrace.run(svg: svg, on: console) }
    let plan = try subject.plan()
    if let svg { return try plan.svg.write(toFile: svg) }
    if forms.count == 1 { return try console.print(forms[0].text(of: plan)) }
    for form in forms {
      try console.print("\(form.rawValue):".coloured(.bold, if: console.isColoured))
      try console.print(form.text(of: plan) + "\n")
    }
  }
}
