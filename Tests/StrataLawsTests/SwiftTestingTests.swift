#if canImport(Testing)
  import Strata
  import StrataLaws
  import Testing

  /// Runs the documentation's recipes for Swift Testing.
  struct SwiftTestingTests {
    @Test func rightLevelsPassInParallel() async throws {
      try await Laws.check(.level { Cache<Int, Int>.dictionary() }, cases: 20)
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func asyncLevelsPassInParallel(seed: UInt64) async throws {
      let held = Box<[Int: Int]>([:])
      let laws = Laws.level {
        held.value = [:]
        return Cache<Int, Int>(
          get: { key async throws in try found(held.value[key]) },
          set: { key, value async throws in held.update { $0[key] = value } },
          remove: { key async throws in held.update { $0[key] = nil } },
          clear: { () async throws in held.value = [:] })
      }
      try await Laws.check(laws, seed: seed, cases: 2)
    }

    @Test func aViolationIsAnIssueAtTheLineOfTheCheck() async {
      let line = #line + 2
      await withKnownIssue {
        await #expect(throws: Never.self) { try await Laws.check(.level { Cache<Int, Int>.empty }) }
      } matching: { issue in
        issue.sourceLocation?.line == line && "\(issue)".contains("level.keeping")
      }
    }

    @Test func aBlockingCheckSaysSoImmediately() {
      #expect(throws: (any Error).self) { try Laws.check(.level { Cache<Int, Int>.empty }) }
    }
  }
#endif
