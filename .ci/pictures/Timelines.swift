func clear() throws {
  var picture = Picture("A clear while a set of the key a hangs in the disk")
  for (index, name) in ["set of a", "clear", "gets of a", "other gets"].enumerated() {
    picture.text(name, 96, 48 + Double(index) * 46, at: "end")
    picture.line(106, 58 + Double(index) * 46, 628, 58 + Double(index) * 46, "fill")
  }
  for (x, label, end) in [
    (140.0, "set called", 30.0), (250, "clear called", 76), (480, "disk goes on", 30),
  ] {
    picture.line(x, 12, x, end, "fill")
    picture.text(label, x + 4, 20, "word")
  }
  func bar(
    _ row: Double, _ x: Double, _ width: Double, _ style: String, _ label: String,
    _ picture: inout Picture
  ) {
    picture.box(x, 30 + row * 46, width, 26, style, faint: true)
    picture.text(label, x + width / 2, 47 + row * 46, at: "middle")
  }
  picture.box(140, 30, 108, 26, "failed", faint: true)
  bar(0, 250, 230, "failed", "hangs in the disk", &picture)
  bar(0, 482, 100, "waited", "removes a", &picture)
  bar(1, 250, 88, "hit", "both levels", &picture)
  bar(2, 108, 140, "filled", "read the levels", &picture)
  bar(2, 250, 332, "missed", "skip memory and disk, and call the network", &picture)
  bar(2, 584, 44, "filled", "read", &picture)
  bar(3, 108, 140, "filled", "read the levels", &picture)
  bar(3, 250, 378, "filled", "read the levels, which are empty", &picture)
  picture.arrow(106, 222, 628, 222)
  picture.text("time", 628, 238, "word", at: "end")
  try picture.save("\(resources)/clear.svg", height: 246)
}

func life() throws {
  var picture = Picture("The four stages of a value: fresh, stale, stale on error, and expired")
  let stages = [
    (16.0, 150.0, "hit", "fresh", ["a get returns it"]),
    (166, 150, "filled", "stale", ["a get returns it,", "and a refresh begins"]),
    (
      316, 170, "waited", "stale on error",
      ["a get waits for a refresh;", "if it fails, returns it"]
    ),
    (486, 138, "missed", "expired", ["a get waits for a", "refresh, and may fail"]),
  ]
  for (x, width, style, name, lines) in stages {
    picture.box(x, 34, width, 66, style, faint: true)
    picture.text(name, x + width / 2, 54, "title", at: "middle")
    for (index, line) in lines.enumerated() {
      picture.text(line, x + width / 2, 73 + Double(index) * 16, "word", at: "middle")
    }
  }
  picture.arrow(16, 112, 630, 112)
  for (x, label) in [(16.0, "stored"), (166, "60 s"), (316, "11 min"), (486, "24 h 1 min")] {
    picture.line(x, 107, x, 117)
    picture.text(label, x + 4, 131, "quiet")
  }
  for (y, end, name) in [
    (156.0, 316.0, "staleWhileRevalidate: 10 min"), (180, 486, "staleIfError: 24 h"),
  ] {
    picture.line(166, y, end, y)
    picture.line(166, y - 4, 166, y + 4)
    picture.line(end, y - 4, end, y + 4)
    picture.text(name, end + 8, y + 4)
  }
  picture.text("not to scale", 630, 24, "word", at: "end")
  picture.text("for: 60 s", 24, 24)
  picture.line(16, 28, 166, 28)
  try picture.save("\(resources)/life.svg", height: 198)
}
