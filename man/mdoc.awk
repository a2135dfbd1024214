# SPDX-License-Identifier: MIT
# The markdown of man/ and rules/ to manual pages in mdoc, so that the manual
# says what the program's own help says, in the same words. Usage:
#   awk -v date='May 1, 2026' -f man/mdoc.awk man/pbmplay.6.md            # "# NAME(SECTION) - ABOUT" first
#   awk -v date=... -v game=toot -f man/mdoc.awk rules/toot.md            # the rules of a game
# With -v version=1.0.0, the foot of the page has the version.
# What is understood is what src/base/markdown.hpp lays out, and more of what
# stands between marks: `--option`, `/a/path`, `A_VARIABLE`, `anything else`
# to type, *argument*, and page(5), a reference, without marks.

# --- letters -----------------------------------------------------------------

function plain(s) {
  gsub(/\\/, "\\e", s)
  return s
}
# What may be copied from the page keeps its very characters.
function exact(s) {
  s = plain(s)
  gsub(/-/, "\\-", s)
  gsub(/'/, "\\(aq", s)
  gsub(/`/, "\\(ga", s)
  gsub(/\^/, "\\(ha", s)
  gsub(/~/, "\\(ti", s)
  return s
}
# One argument of a macro: no macro's name, no delimiter, no quote.
function argument(s) {
  s = exact(s)
  gsub(/"/, "\\(dq", s)
  if (s ~ /^[A-Z%][a-z][a-z]?$/ || s ~ /^[][().,:;!?|]$/) s = "\\&" s
  else if (s ~ /[].,:;!?)]$/) s = s "\\&"
  return s
}
function arguments(s,    n, w, i, out) {
  n = split(s, w, " ")
  for (i = 1; i <= n; i++) out = out (i > 1 ? " " : "") argument(w[i])
  return out
}
function guarded(line) { return line ~ /^[.']/ ? "\\&" line : line }

# --- words -------------------------------------------------------------------

# The macro for what stands between backticks, with its arguments.
function code(s) {
  if (s ~ /^-[-]?[a-z]/ && s !~ / /) return "Fl " argument(substr(s, 2))
  if (s ~ /^~?\/./ || s ~ /^[A-Za-z.]+\/$/ || s ~ /^\.[a-z]+\/[a-z]/) return "Pa " argument(s)
  if (s ~ /^[A-Z]+_[A-Z_]+$/ || s == "TERM" || s == "HOME") return "Ev " argument(s)
  return "Ic " arguments(s)
}

# Takes a paragraph apart: word[i] has the pieces word[i, 1..pieces[i]], each
# with its kind: t, c between backticks, a between stars.
function take_apart(s,    i, c, kind, piece, n, any) {
  words = 1
  pieces[1] = 0
  kind = "t"
  piece = ""
  n = length(s)
  for (i = 1; i <= n + 1; i++) {
    c = i > n ? " " : substr(s, i, 1)
    if (kind == "c" ? c == "`" : kind == "a" ? c == "*" : c == "`" || c == "*" || c == " ") {
      if (piece != "" || kind != "t") {
        pieces[words]++
        word[words, pieces[words]] = piece
        sort[words, pieces[words]] = kind
      }
      piece = ""
      if (kind != "t") kind = "t"
      else if (c == "`") kind = "c"
      else if (c == "*") kind = "a"
      else if (pieces[words] > 0) pieces[++words] = 0
    } else {
      piece = piece c
    }
  }
  if (pieces[words] == 0) words--
}
# Closing delimiters, each an argument of its own.
function closing(s,    i, out) {
  for (i = 1; i <= length(s); i++) out = out " " substr(s, i, 1)
  return out
}
function is_reference(s) { return s ~ /^[(]?[a-z][a-z0-9_.-]*\([1-8]\)[.,;:)]*$/ }

# A word with marks in it as macros. In syntax brackets are options.
function marked(i, syntax,    n, k, out, glue, text, j, c, rest) {
  n = pieces[i]
  glue = ""
  for (k = 1; k <= n; k++) {
    text = word[i, k]
    if (sort[i, k] == "c") { out = out glue code(text); glue = " Ns " }
    else if (sort[i, k] == "a") { out = out glue "Ar " arguments(text); glue = " Ns " }
    else if (!syntax && k == n && k > 1 && text ~ /^[].,;:!?)]+$/) { out = out closing(text) }
    else if (!syntax && k == 1 && n > 1 && text == "(") { opened = 1; continue }
    else if (syntax) {
      rest = ""
      for (j = 1; j <= length(text) + 1; j++) {
        c = j > length(text) ? "[" : substr(text, j, 1)
        if (c != "[" && c != "]") { rest = rest c; continue }
        if (rest != "") { out = out glue (rest == "|" || rest == "..." ? "No " argument(rest) : "No " arguments(rest)); glue = " Ns " }
        rest = ""
        if (j > length(text)) break
        if (c == "[") { out = out glue "Oo"; glue = " " }
        else { out = out " Oc"; glue = " Ns " }
      }
    } else { out = out glue "No " argument(text); glue = " Ns " }
    if (opened) { sub(/ /, " ( ", out); opened = 0 }
  }
  return out
}
# A whole line of syntax: a term, a line of the synopsis.
function syntax_line(s, between,    i, out, w, depth) {
  take_apart(s)
  depth = 0
  for (i = 1; i <= words; i++) {
    w = word[i, 1]
    # Behind a macro that is whole the line may be broken.
    if (i > 1) out = out (depth == 0 && w != "|" && word[i - 1, 1] != "|" ? between : " ")
    if (pieces[i] > 1 || sort[i, 1] != "t" || w ~ /[][]/) {
      w = marked(i, 1)
      depth += gsub(/Oo/, "Oo", w) - gsub(/Oc/, "Oc", w)
      out = out w
    } else {
      out = out (w == "|" || w == "..." ? w : "No " arguments(w))
    }
  }
  return out
}

# A paragraph, a sentence a line and no line long, as mandoc likes it.
function paragraph(s,    i, line, w, p, section) {
  take_apart(s)
  line = ""
  for (i = 1; i <= words; i++) {
    w = word[i, 1]
    if (pieces[i] == 1 && sort[i, 1] == "t" && !is_reference(w)) {
      w = plain(w)
      if (line != "" && length(line) + length(w) > 70) { print guarded(line); line = "" }
      line = line (line == "" ? "" : " ") w
      # An initial behind a name ends no sentence.
      if (w ~ /[A-Za-z0-9)'"][.?!][)]?$/ && !(w ~ /^[A-Z][.]$/ && word[i - 1, 1] ~ /^[A-Z][a-z]+$/)) { print guarded(line); line = "" }
      continue
    }
    if (line != "") print guarded(line)
    line = ""
    if (pieces[i] == 1 && sort[i, 1] == "t") {
      p = w
      sub(/^[(]/, "", p)
      section = substr(p, index(p, "(") + 1, 1)
      print ".Xr " (w ~ /^[(]/ ? "( " : "") substr(p, 1, index(p, "(") - 1) " " section closing(substr(p, index(p, "(") + 3))
    } else {
      print "." marked(i, 0)
    }
  }
  if (line != "") print guarded(line)
}

# --- blocks ------------------------------------------------------------------

function is_verbatim(l) { return l ~ /^    / }
function is_meaning(l) { return l ~ /^: / }
function is_term(i) { return i < NR && text[i] != "" && text[i] !~ /^[ #]/ && is_meaning(text[i + 1]) }
function is_break(i) { return i > NR || text[i] == "" || text[i] ~ /^#/ || is_verbatim(text[i]) || is_term(i) }

function verbatim(i,    l) {
  # A blank line between two drawings is one of both.
  print ".Bd -literal -offset indent"
  while (i <= NR && is_verbatim(text[i])) {
    l = exact(substr(text[i], 5))
    print guarded(l)
    i++
    if (text[i] == "" && is_verbatim(text[i + 1]) && i < NR) { print ""; i++ }
  }
  print ".Ed"
  return i
}
# Lines from i on that make one paragraph; next_line is the one behind them.
function gathered(i, first,    out) {
  out = first
  for (next_line = i; !is_break(next_line) && text[next_line] !~ /^- /; next_line++) {
    first = text[next_line]
    sub(/^ +/, "", first)
    out = out (out == "" ? "" : " ") first
  }
  return out
}
function bullets(i, fresh,    item) {
  if (!fresh) print ".Pp"
  print ".Bl -bullet -compact"
  while (i <= NR && text[i] ~ /^- /) {
    item = gathered(i + 1, substr(text[i], 3))
    print ".It"
    paragraph(item)
    i = next_line
    if (text[i] == "" && text[i + 1] ~ /^- /) i++
  }
  print ".El"
  return i
}
# What a term is on the page, without marks.
function shown(s,    c) {
  gsub(/[`*]/, "", s)
  return s
}
function terms(i, fresh,    start, tag, tag_shown, compact, j, item) {
  # How wide: as the longest term, if that is short.
  start = i
  compact = 1
  for (j = i; j <= NR; j++) {
    if (is_term(j)) {
      if (length(shown(text[j])) > length(tag)) tag = tag_shown = shown(text[j])
      if (j > start && text[j - 1] == "") compact = 0
    } else if (text[j] != "" && !is_meaning(text[j]) && (text[j] !~ /^  / || is_verbatim(text[j]))) break
  }
  gsub(/-/, "\\-", tag)
  if (length(tag_shown) > 18) tag = "Ds"
  if (compact && !fresh) print ".Pp"
  print ".Bl -tag -width " (tag ~ /[ "]/ ? "\"" tag "\"" : tag) (compact ? " -compact" : "")
  while (is_term(i)) {
    print ".It " syntax_line(text[i], " ")
    item = gathered(i + 2, substr(text[i + 1], 3))
    paragraph(item)
    i = next_line
    while (text[i] == "" && text[i + 1] ~ /^  / && !is_verbatim(text[i + 1]) && i < NR) {
      print ".Pp"
      item = gathered(i + 1, "")
      paragraph(item)
      i = next_line
    }
    if (text[i] == "" && is_term(i + 1)) i++
  }
  print ".El"
  return i
}
# Lines "- `pbmplay` ..." or "- `pbmplay-mail` ...", each a way to call the program.
function synopsis(i,    l) {
  for (; i <= NR && text[i] !~ /^#/; i++) {
    if (text[i] !~ /^- /) continue
    l = substr(text[i], 3)
    while (text[i + 1] ~ /^  /) { i++; l = l substr(text[i], 2) }
    if (match(l, /^`pbmplay(-[a-z]+)?`/)) {
      print ".Nm " substr(l, 2, RLENGTH - 2)
      l = substr(l, RLENGTH + 1)
    }
    if (l ~ /[^ ]/) print "." syntax_line(l, "\n.")
  }
  return i
}

function body(i,    fresh, s) {
  fresh = 1
  while (i <= NR) {
    if (text[i] ~ /^## Synopsis/) {
      print ".Sh SYNOPSIS"
      i = synopsis(i + 1)
      fresh = 1
    } else if (text[i] ~ /^## /) {
      print ".Sh " toupper(substr(text[i], 4))
      fresh = 1
      i++
    } else if (text[i] ~ /^### /) {
      print ".Ss " arguments(substr(text[i], 5))
      fresh = 1
      i++
    } else if (text[i] == "") {
      i++
    } else if (is_verbatim(text[i])) {
      i = verbatim(i)
      fresh = 0
    } else if (is_term(i)) {
      i = terms(i, fresh)
      fresh = 0
    } else if (text[i] ~ /^- /) {
      i = bullets(i, fresh)
      fresh = 0
    } else {
      if (!fresh) print ".Pp"
      s = gathered(i, "")
      paragraph(s)
      i = next_line
      fresh = 0
    }
  }
}

# --- the page ----------------------------------------------------------------

function head(name, section, about) {
  print ".\\\" SPDX-License-Identifier: MIT"
  print ".Dd " date
  # An older groff would call these BSD's manual pages, as mandoc does not.
  print ".ds doc-volume-operating-system"
  print ".ds doc-default-operating-system pbmplay" (version == "" ? "" : " " version)
  print ".Dt " toupper(name) " " section
  print ".Os"
  print ".Sh NAME"
  print ".Nm " name
  print ".Nd " about
}
# The options of a game, as the bullets of its rules name them: each with its other names.
function game_synopsis(    i, l, out, inside, option) {
  for (i = 1; i <= NR; i++) {
    if (text[i] ~ /^## /) inside = text[i] ~ /^## Options/
    if (!inside || text[i] !~ /^- `-/) continue
    l = text[i]
    sub(/:.*/, "", l)
    option = ""
    while (match(l, /`-[^`]*`/)) {
      option = option (option == "" ? "Fl " : " | Fl ") argument(substr(l, RSTART + 2, RLENGTH - 3))
      l = substr(l, RSTART + RLENGTH)
    }
    out = out "\n.Op " option
  }
  print ".Sh SYNOPSIS"
  print ".Nm pbmplay"
  print ".Cm " game out
  print ".Op Ar NAME ..."
}
{ text[NR] = $0 }
END {
  title = substr(text[1], 3)
  if (game != "") {
    print ".\\\" Made from rules/" game ".md; edit that."
    head("pbmplay-" game, 6, "the rules of " title)
    game_synopsis()
    print ".Sh DESCRIPTION"
    paragraph("The rules of " title ", and how its moves are written.")
    for (i = 2; i <= NR && text[i] == ""; i++) ;
    if (text[i] !~ /^#/) print ".Pp"
    body(i)
    print ".Sh SEE ALSO"
    print ".Xr pbmplay 6 ,"
    print ".Xr pbmplay-commands 7"
  } else {
    print ".\\\" Made from man/*.md; edit that."
    match(title, /^[a-z-]+\([1-8]\) - /)
    name = substr(title, 1, index(title, "(") - 1)
    head(name, substr(title, index(title, "(") + 1, 1), substr(title, RLENGTH + 1))
    body(2)
  }
}
