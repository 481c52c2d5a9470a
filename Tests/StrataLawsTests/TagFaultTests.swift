import StrataCore
import StrataLaws
import StrataVerbs

/// Checks that the laws catch faults in tags.
final class TagFaultTests: FaultCase {
  /// Strata's tags with changed functions.
  private static func faulty(
    mark: @escaping @Sendable (Tags, Set<String>, Tags.Action) -> Promise<Void> = {
      $0.mark($1, $2)
    },
    tags function:
      @escaping @Sendable (@escaping @Sendable (Int, Int) -> [String], Int, Int) -> [String] = {
        $0($1, $2)
      }
  ) -> Laws {
    .tags { clock in
      let tags = Tags(clock: clock)
      return TagSystem(mark: { mark(tags, $0, $1) }) { cache, original in
        cache.tagged(by: tags) { function(original, $0, $1) }
      }
    }
  }

  func testARemovalThatConcernsEverything() {
    expectCaught(
      "removesAll", by: Self.faulty(tags: { _, _, _ in ["value 0", "value 1", "key 0", "key 1"] }),
      as: ["tags.visible", "tags.none"])
  }

  func testNoTagsThatAreAllTags() {
    expectCaught(
      "emptyIsAll",
      by: Self.faulty(mark: { tags, marked, action in
        tags.mark(marked.isEmpty ? ["key 0", "key 1"] : marked, action)
      }), as: "tags.empty")
  }

  func testARemovalOfOnlyOneTag() {
    expectCaught(
      "firstOnly",
      by: Self.faulty(mark: { tags, marked, action in
        tags.mark(Set(marked.sorted().prefix(1)), action)
      }), as: ["tags.union", "tags.visible"])
  }

  func testASoftRemovalThatReplacesAHardOne() {
    expectCaught(
      "lastWins",
      by: .tags { clock in
        let actions = Lock<[String: Tags.Action]>([:])
        return TagSystem(mark: { marked, action in
          actions.withLock { for tag in marked { $0[tag] = action } }
          return Promise()
        }) { cache, function in
          cache.transformingGet("lastWins") { get in
            { key in
              get(key).flatMap { entry in
                let found = function(key, entry.value).compactMap { tag in
                  actions.withLock { $0[tag] }
                }
                if found.contains(.remove) { return .init(error: CacheError.notFound) }
                return Promise(
                  found.isEmpty
                    ? entry : Stamped(entry.value, storedAt: entry.storedAt, expiresAt: clock.now())
                )
              }
            }
          }
        }
      }, as: ["tags.expiry", "tags.visible"])
  }

  func testOnlyTheFirstTagOfAValue() {
    expectCaught(
      "firstTag", by: Self.faulty(tags: { Array($0($1, $2).suffix(1)) }),
      as: ["tags.everything", "tags.visible"])
  }

  func testAMarkThatReachesOnlyTheLastCache() {
    expectCaught(
      "lastCache",
      by: .tags { clock in
        let last = Lock(Tags(clock: clock))
        return TagSystem(mark: { marked, action in last.withLock { $0 }.mark(marked, action) }) {
          cache, function in
          let tags = Tags(clock: clock)
          last.withLock { $0 = tags }
          return cache.tagged(by: tags, function)
        }
      }, as: "tags.sums", alone: true)
  }

  func testTagsOfSmallKeysOnly() {
    expectCaught(
      "smallKeys", by: Self.faulty(tags: { $0(min($1, 9), $2) }), as: "tags.keys", alone: true)
  }

  func testTagsOfSmallValuesOnly() {
    expectCaught(
      "smallValues", by: Self.faulty(tags: { $0($1, min($2, 50)) }), as: "tags.values", alone: true)
  }

  func testALoadedValueThatReturnsAfterItsRemoval() {
    expectCaught(
      "comparesWithTheEnd",
      by: .tags { clock in
        let tags = Tags(clock: clock)
        return TagSystem(mark: tags.mark) { cache, function in
          let tagged = cache.tagged(by: tags, function)
          // A copy has no tickets, so a back-fill is like a set after the removal.
          return Cache(
            keepsOrder: true, get: tagged.get, set: tagged.set, remove: tagged.remove,
            clear: tagged.clear
          ).clocked(by: clock)
        }
      }, as: "tags.loads", alone: true)
  }
}
