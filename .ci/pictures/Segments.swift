func segments() throws {
  var picture = Picture(
    "A log of three segments, the records of one segment, and the parts of one record")
  func row(
    _ y: Double, _ height: Double,
    _ cells: [(width: Double, style: String, name: String, below: String)]
  ) {
    var x = 16.0
    for cell in cells {
      picture.box(x, y, cell.width - 4, height, cell.style, faint: cell.style != "box")
      picture.text(cell.name, x + cell.width / 2 - 2, y + 18, at: "middle")
      picture.text(cell.below, x + cell.width / 2 - 2, y + 35, "quiet", at: "middle")
      x += cell.width
    }
  }
  picture.text("the directory: segments, the oldest first", 16, 22, "word")
  row(
    30, 42,
    [
      (204, "box", "…4e1.strata2", "sealed"), (204, "box", "…4e2.strata2", "sealed"),
      (204, "filled", "…4e3.strata2", "newest: all append here"),
    ])
  picture.line(424, 74, 16, 104, "fill")
  picture.line(624, 74, 624, 104, "fill")
  picture.text("a segment: records", 616, 98, "word", at: "end")
  row(
    106, 42,
    [
      (118, "waited", "start", "length before"), (98, "hit", "set a", "value 1"),
      (98, "hit", "set b", "value 2"),
      (98, "failed", "remove a", ""), (98, "hit", "set a", "value 3"),
      (102, "box", "…", "later: seal"),
    ])
  picture.line(428, 150, 16, 180, "fill")
  picture.line(522, 150, 624, 180, "fill")
  picture.text("a record", 475, 174, "word", at: "middle")
  row(
    182, 42,
    [
      (276, "other", "header", "64 bytes"), (90, "memory", "key", ""), (136, "disk", "value", ""),
      (110, "waited", "end mark", "8 bytes"),
    ])
  picture.text(
    "kind · lengths · hash · created · deadline · mark · two checksums", 16, 244, "quiet")
  try picture.save("\(resources)/segments.svg", height: 256)
}
