/// A message from one lane of a sequence to another.
struct Message {
  let from: Int
  let to: Int
  let text: String
  var note = ""
  var isFill = false
}

extension Picture {
  /// Draws the lanes of a sequence, with their names above them.
  mutating func lanes(_ lanes: [(name: String, x: Double)], to bottom: Double) {
    for lane in lanes {
      box(lane.x - 50, 12, 100, 24)
      text(lane.name, lane.x, 28, at: "middle")
      line(lane.x, 36, lane.x, bottom, "fill")
    }
  }

  /// Draws messages below each other. Returns the position below the last one.
  mutating func messages(
    _ messages: [Message], _ lanes: [(name: String, x: Double)], from top: Double
  ) -> Double {
    var y = top
    for message in messages {
      let (start, end) = (lanes[message.from].x, lanes[message.to].x)
      if message.from == message.to {
        text(message.text, start + 10, y - 2, "word")
      } else {
        arrow(
          start + (end > start ? 3 : -3), y, end - (end > start ? 3 : -3), y,
          message.isFill ? "fill" : "")
        let isRight = end > start
        text(message.text, start + (isRight ? 10 : -10), y - 5, at: isRight ? "start" : "end")
        text(message.note, end + (isRight ? 8 : -8), y + 4, "word", at: isRight ? "start" : "end")
      }
      y += 27
    }
    return y
  }
}

func walk() throws {
  var picture = Picture(
    "One get, one set, and one clear of a pipeline with memory, disk, and network")
  let lanes = [(name: "caller", x: 62.0), ("memory", 226), ("disk", 390), ("network", 554)]
  picture.lanes(lanes, to: 392)
  picture.text("the first get", 76, 58, "title")
  var y = picture.messages(
    [
      Message(from: 0, to: 1, text: "get", note: "miss"),
      Message(from: 0, to: 2, text: "get", note: "miss"),
      Message(from: 0, to: 3, text: "get", note: "value"),
      Message(from: 3, to: 0, text: "value", note: ""),
      Message(from: 0, to: 2, text: "set", note: "back-fill", isFill: true),
      Message(from: 0, to: 1, text: "set", note: "back-fill", isFill: true),
    ], lanes, from: 82)
  picture.text("a set", 76, y + 2, "title")
  y = picture.messages(
    [
      Message(from: 0, to: 2, text: "set", note: "done"),
      Message(from: 0, to: 1, text: "set", note: "done"),
    ], lanes, from: y + 26)
  picture.text("a clear", 76, y + 2, "title")
  y = picture.messages(
    [
      Message(from: 0, to: 2, text: "clear", note: "done"),
      Message(from: 0, to: 1, text: "clear", note: "done"),
    ], lanes, from: y + 26)
  try picture.save("\(resources)/walk.svg", height: 402)
}

func lease() throws {
  var picture = Picture(
    "A write of machine B ends the lease of machine A, so A can't store its older value")
  let lanes = [(name: "machine A", x: 90.0), ("Redis", 320), ("machine B", 550)]
  picture.lanes(lanes, to: 330)
  _ = picture.messages(
    [
      Message(from: 0, to: 1, text: "get price", note: "no value: stores a lease for A"),
      Message(from: 1, to: 0, text: "miss, with a lease"),
      Message(from: 0, to: 0, text: "loads 5 from the origin …"),
      Message(from: 2, to: 1, text: "set price 6", note: ""),
      Message(from: 1, to: 1, text: "6 replaces the lease"),
      Message(from: 1, to: 2, text: "done"),
      Message(from: 0, to: 0, text: "… the origin answers 5"),
      Message(from: 0, to: 1, text: "fill price 5, with the lease"),
      Message(from: 1, to: 0, text: "overtaken"),
      Message(from: 1, to: 1, text: "still 6: the next get finds it"),
    ], lanes, from: 66)
  try picture.save("Sources/StrataRedis/StrataRedis.docc/Resources/lease.svg", height: 342)
}
