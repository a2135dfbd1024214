# SPDX-License-Identifier: MIT
# rules/GAME.md to a manual page in mdoc: the manual tells the rules in the
# same words as the program's help. Usage: awk -v game=toot -f man/rules.awk rules/toot.md
function escape(s) {
  gsub(/\\/, "\\e", s)
  return s
}
# A text line: backticks become bold.
function text(s,    out, n, parts, i) {
  s = escape(s)
  n = split(s, parts, "`")
  out = parts[1]
  for (i = 2; i <= n; i++) out = out (i % 2 == 0 ? "\\fB" : "\\fR") parts[i]
  gsub(/-/, "\\-", out)
  return out
}
# The paragraph so far, a sentence a line and no line long, as mandoc likes it.
function flush(    n, w, i, line) {
  n = split(para, w, " ")
  para = line = ""
  for (i = 1; i <= n; i++) {
    if (line != "" && length(line) + length(w[i]) > 70) { print guarded(line); line = "" }
    line = line (line == "" ? "" : " ") w[i]
    if (w[i] ~ /[.?!][)]?$/) { print guarded(line); line = "" }
  }
  if (line != "") print guarded(line)
}
function guarded(line) { return line ~ /^[.']/ ? "\\&" line : line }
function end_block() {
  flush()
  if (verbatim) print ".Ed"
  verbatim = 0
}
function end_list() {
  flush()
  if (list) print ".El"
  list = 0
}
BEGIN { print ".\\\" Made from rules/" game ".md; edit that." }
NR == 1 {
  sub(/^# */, "")
  print ".Dd November 21, 2026"
  print ".Dt PBMPLAY-" toupper(game) " 6"
  print ".Os"
  print ".Sh NAME"
  print ".Nm pbmplay-" game
  print ".Nd the rules of " $0
  next
}
/^## / {
  end_block(); end_list()
  described = 1
  print ".Sh " toupper(text(substr($0, 4)))
  fresh = 1
  next
}
/^    / {
  flush()
  blank = 0
  if (!verbatim) {
    end_list()
    print ".Bd -literal -offset indent"
    verbatim = 1
  }
  line = escape(substr($0, 5))
  if (line ~ /^[.']/) line = "\\&" line
  print line
  next
}
/^ *$/ { end_block(); flush(); blank = 1; next }
/^- / {
  end_block()
  if (!list) print ".Bl -bullet"
  list = 1
  flush()
  print ".It"
  para = text(substr($0, 3))
  blank = fresh = 0
  next
}
{
  end_block()
  if (list && $0 !~ /^ /) end_list()
  if (blank && !fresh && !list) print ".Pp"
  if (!described) {
    print ".Sh DESCRIPTION"
    described = 1
  }
  line = $0
  sub(/^ +/, "", line)
  para = para " " text(line)
  blank = fresh = 0
}
END {
  end_block(); end_list(); flush()
  print ".Sh SEE ALSO"
  print ".Xr pbmplay 6"
}
