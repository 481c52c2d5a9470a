// swift-tools-version: 6.2
import PackageDescription

/// A playground page is also an executable target, so `swift run page-NAME` runs it on Linux.
func page(_ name: String, _ folder: String, _ uses: [Target.Dependency] = ["Strata"]) -> Target {
  .executableTarget(
    name: name, dependencies: uses,
    path: "Playgrounds/Strata.playground/Pages/\(folder).xcplaygroundpage")
}

/// The parts of the main library. `import Strata` imports all of them, and a program that uses only
/// the memory level can import `StrataCore` alone. `ModuleTests` checks that each module imports
/// exactly the modules on which its target depends.
let parts = ["Core", "Verbs", "Disk", "Network", "Apple"].map { "Strata" + $0 }
let libraries =
  ["Strata"] + parts + ["Explain", "HTTP", "Redis", "Laws", "Migration"].map { "Strata" + $0 }

#if canImport(Darwin)  // Only Apple's platforms need the bundle with the privacy manifest.
  let privacy = (resources: [Resource.copy("PrivacyInfo.xcprivacy")], exclude: [String]())
#else
  let privacy = (resources: [Resource](), exclude: ["PrivacyInfo.xcprivacy"])
#endif

#if os(Linux)
  // Without these options, a statically linked program contains each public function of each module
  // that it imports. With them, the linker leaves out what the program doesn't use.
  let removesUnused = SwiftSetting.unsafeFlags(
    ["-Xfrontend", "-internalize-at-link", "-Xfrontend", "-function-sections"],
    .when(configuration: .release))
  // In a debug build, the compiler works on 25 files at a time, so that it can compile a changed file
  // alone. For that, it repeats the work that the files share. Nobody edits the checkout that SwiftPM
  // makes for a package that depends on Strata. There, each library is compiled as a whole, which takes
  // a third less of processor time. With threads, each file still gets an object, as SwiftPM expects.
  let compilesWhole = SwiftSetting.unsafeFlags(
    [
      "-whole-module-optimization", "-no-emit-module-separately-wmo", "-disable-batch-mode",
      "-num-threads", "2",
    ], .when(configuration: .debug))
  let isCheckout = Context.packageDirectory.contains("/checkouts/")
  let librarySettings = [removesUnused] + (isCheckout ? [compilesWhole] : [])
#else
  let librarySettings = [SwiftSetting]()
#endif

let package = Package(
  name: "Strata",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: libraries.map { Product.library(name: $0, targets: [$0]) } + [
    .executable(name: "strata-tool", targets: ["strata-tool"])
  ],
  targets: [
    .target(name: "StrataCore"),
    .target(name: "StrataVerbs", dependencies: ["StrataCore"]),
    .target(
      name: "StrataDisk", dependencies: ["StrataCore"],
      exclude: privacy.exclude, resources: privacy.resources),
    .target(name: "CStrataCurl"),  // Loads libcurl at run time, so the build needs no headers.
    .target(
      name: "StrataNetwork",
      dependencies: [
        "StrataCore", .target(name: "CStrataCurl", condition: .when(platforms: [.linux])),
      ]),
    .target(name: "StrataApple", dependencies: ["StrataCore"]),
    .target(name: "Strata", dependencies: parts.map { .target(name: $0) }),
    .target(name: "StrataExplain", dependencies: ["StrataVerbs"]),
    .target(
      name: "StrataHTTP",
      dependencies: ["StrataNetwork", "StrataDisk", "StrataApple", "StrataVerbs"]),
    .target(name: "StrataRedis", dependencies: ["StrataCore"]),
    .target(name: "StrataLaws", dependencies: ["StrataVerbs", "StrataExplain"]),
    .target(name: "StrataMigration", dependencies: ["StrataVerbs"]),
    .executableTarget(
      name: "strata-tool", dependencies: ["Strata", "StrataExplain", "StrataHTTP", "StrataRedis"],
      path: "Sources/Tool"),
    page("page-layers", "Layers"),
    page("page-keys-and-values", "KeysAndValues"),
    page("page-time", "Time"),
    page("page-promise", "Promise"),
    page("page-pool-and-friends", "PoolAndFriends"),
    page("page-laws", "Laws", ["Strata", "StrataLaws"]),
    page("page-your-own-level", "YourOwnLevel", ["Strata", "StrataLaws"]),
    page("page-your-own-verb", "YourOwnVerb", ["Strata", "StrataLaws"]),
    page("page-explain", "Explain", ["Strata", "StrataExplain"]),
    .testTarget(
      name: "StrataTests",
      dependencies: ["Strata", "StrataExplain", "StrataHTTP", "StrataLaws", "StrataMigration"],
      exclude: ["Diagnostics"]),
    .testTarget(name: "StrataHTTPTests", dependencies: ["Strata", "StrataHTTP", "StrataLaws"]),
    .testTarget(name: "StrataRedisTests", dependencies: ["Strata", "StrataRedis", "StrataLaws"]),
    .testTarget(
      name: "StrataExplainTests", dependencies: ["Strata", "StrataExplain", "StrataLaws"]),
    .testTarget(name: "StrataLawsTests", dependencies: ["Strata", "StrataLaws"]),
    .testTarget(name: "StrataMigrationTests", dependencies: ["Strata", "StrataMigration"]),
    .testTarget(name: "ToolTests", dependencies: ["strata-tool"]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  if libraries.contains(target.name) { target.swiftSettings = librarySettings }
  if Context.environment["STRATA_STRICT"] != nil {  // In CI, a warning fails the build.
    target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
  }
}
