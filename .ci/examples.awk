# Extracts the examples from the comments of public declarations and from Markdown. An example that is a whole
# program is written to a separate file. An example that is an extension is copied unchanged. Any other
# example becomes the body of a function. The directive #sourceLocation makes compiler errors refer to the
# source of the example.

function finish() {
  if (text != "") { found++; texts[found] = text; places[found] = place }
  text = ""
}

function take(code) {
  if (text == "") place = "#sourceLocation(file: \"" FILENAME "\", line: " FNR ")\n"
  text = text code "\n"
}

function write_out() {
  finish()
  for (i = 1; i <= found; i++) {
    count++
    if (texts[i] ~ /(^|\n)import Strata\n/)
      printf "%s%s", places[i], texts[i] > (folder "/program-" count ".swift")
    else if (texts[i] ~ /^extension /)
      printf "%s%s#sourceLocation()\n", places[i], texts[i] >> (folder "/documentation.swift")
    else
      printf "func example%d() %s {\n%s%s#sourceLocation()\n}\n", count, \
        texts[i] ~ /await/ ? "async throws" : "throws", places[i], texts[i] \
        >> (folder "/documentation.swift")
  }
  found = 0
}

FNR == 1 { write_out(); inside = 0; afterBlank = 0 }

FILENAME ~ /\.md$/ && /^```/ { finish(); inside = !inside && /^```swift$/; next }
FILENAME ~ /\.md$/ { if (inside) take($0); next }

# In a comment, an example follows an empty line and is indented by four spaces.
{
  comment = sub(/^ *\/\/\/ ?/, "")
  if (comment && /^    / && (afterBlank || text != "")) take(substr($0, 5))
  else if (comment && $0 == "" && text != "") take("")
  else finish()
  afterBlank = comment && $0 == ""
}

# Writes the examples of a comment if the declaration below the comment is public.
!comment && /(func|init|var|let|struct|enum|class|protocol|typealias)[ (?<]/ {
  if (/public/) write_out()
  found = 0
}

END { write_out(); print count }
