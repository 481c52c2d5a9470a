// swift-tools-version: 6.2
import PackageDescription

/// A playground page is an executable target as well, so that `swift run page-NAME` runs on Linux
/// what Xcode shows on a Mac.
func page(_ name: String, _ folder: String, _ dependencies: [Target.Dependency] = ["Strata"])
  -> Target
{
  .executableTarget(
    name: name,
    dependencies: dependencies,
    path: "Playgrounds/Strata.playground/Pages/\(folder).xcplaygroundpage")
}

// Apple's platforms want to find the privacy manifest in a bundle; elsewhere it would cost one that
// holds nothing else.
#if canImport(Darwin)
  let privacy = (resources: [Resource.copy("PrivacyInfo.xcprivacy")], exclude: [String]())
#else
  let privacy = (resources: [Resource](), exclude: ["PrivacyInfo.xcprivacy"])
#endif

let package = Package(
  name: "Strata",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Strata", targets: ["Strata"]),
    .library(name: "StrataLaws", targets: ["StrataLaws"]),
    .executable(name: "strata-tool", targets: ["strata-tool"]),
  ],
  targets: [
    .target(name: "Strata", exclude: privacy.exclude, resources: privacy.resources),
    .target(name: "StrataLaws", dependencies: ["Strata"]),
    .executableTarget(name: "strata-tool", dependencies: ["Strata"], path: "Sources/Tool"),
    page("page-layers", "Layers"),
    page("page-keys-and-values", "KeysAndValues"),
    page("page-time", "Time"),
    page("page-promise", "Promise"),
    page("page-pool-and-friends", "PoolAndFriends"),
    page("page-laws", "Laws", ["Strata", "StrataLaws"]),
    page("page-your-own-level", "YourOwnLevel", ["Strata", "StrataLaws"]),
    page("page-explain", "Explain"),
    .testTarget(
      name: "StrataTests", dependencies: ["Strata", "StrataLaws"], exclude: ["Diagnostics"]),
    .testTarget(name: "StrataLawsTests", dependencies: ["Strata", "StrataLaws"]),
    .testTarget(name: "ToolTests", dependencies: ["strata-tool"]),
  ],
  swiftLanguageModes: [.v6]
)
