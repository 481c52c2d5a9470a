import Strata
import StrataLaws

/// Checks that the law about traces catches wrong explanations of a trace.
final class TraceFaultTests: FaultCase {
  func testTheOutermostStageReportedAsTheSource() {
    expectCaught(
      "outermost",
      by: .traces { trace in
        let gets = trace.steps.filter { $0.operation == .get }
        return (gets.map(\.stage), gets.first?.stage)
      }, as: "traces.truth", alone: true)
  }

  func testStepsInTheOrderOfTheirEnds() {
    expectCaught(
      "orderOfEnds",
      by: .traces { trace in
        let gets = trace.steps.filter { $0.operation == .get }
        return (gets.map(\.stage).reversed(), trace.answeredBy)
      }, as: "traces.truth", alone: true)
  }

  func testBackFillsReportedAsGets() {
    expectCaught(
      "backFillsAsGets",
      by: .traces { trace in
        (trace.steps.filter { $0.operation != .backFill }.map(\.stage), trace.answeredBy)
      }, as: "traces.truth", alone: true)
  }
}
