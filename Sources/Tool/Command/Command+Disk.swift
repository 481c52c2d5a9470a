import Foundation
import Strata

extension Command {
  /// The command that looks into the directory of a disk level.
  static let disk = Command(
    name: "disk",
    summary: "List, measure, check, or remove the values in a disk level's directory",
    purpose: "What has a disk level stored? List, check, or remove its values.",
    arguments: ["DIRECTORY", "[list|size|check|expire|remove KEY]"],
    options: [
      "DIRECTORY        the directory of a disk level, such as ~/.cache/Strata/articles",
      "list             print the size, age, time left, and key of each value, the oldest first",
      "size             print the number of values and files, and their sizes (the default action)",
      "check            read each value, and compare it with its checksum",
      "expire           remove the expired values, and free space if a file is mostly obsolete",
      "remove KEY       remove the value of a key",
    ],
    notes: [
      "Programs may use the directory at the same time, unless they have opened it with",
      "isSingleProcess. Keys are printed with escapes for control characters. check fails if a value",
      "is damaged, and remove fails if the key has no value.",
    ],
    run: { arguments, console in
      try await DiskReport(options: DiskOptions(arguments), console: console).run()
    })
}
