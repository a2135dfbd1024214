// SPDX-License-Identifier: MIT
#include "ui/widgets/form.hpp"

#include <algorithm>

namespace pbm {

void draw_field(Canvas& canvas, int row, const FormField& field, bool here, const FormColumns& at) {
  using Kind = FormField::Kind;
  constexpr int kLabel = 3;
  const int form = canvas.size().columns, width = std::min(at.width, form - at.value - 1);
  if (here) canvas.put(row, 1, ">", Style::turn);
  else if (!field.wrong.empty()) canvas.put(row, 1, "!", Style::bad);
  canvas.put(row, kLabel, field.label, Style::key);
  const auto cursor = canvas.cursor;
  switch (field.kind) {
    case Kind::choice:
      canvas.put(row, at.value, "< " + fit(field.value, width - 4) + " >", Style::text);
      canvas.cursor = Point{row, at.value + 2};
      break;
    case Kind::on_off:
      canvas.put(row, at.value, field.on ? "[x]" : "[ ]", Style::text);
      canvas.cursor = Point{row, at.value + 1};
      break;
    case Kind::text:
    case Kind::secret: {
      LineEditor shown = field.text;
      if (field.kind == Kind::secret && !shown.empty())
        shown.set(std::string(static_cast<std::size_t>(std::max(1, columns(shown.text()))), '*'));
      shown.draw(canvas, row, at.value, width, field.wrong.empty() ? Style::text : Style::bad);
      if (shown.empty()) canvas.put(row, at.value, fit(field.offered, width), Style::dim);
    }
  }
  if (!here) canvas.cursor = cursor;
  if (const int room = at.about_width(form); room > 0)
    canvas.put(row, at.value + at.width + 1,
               fit(field.wrong.empty() ? field.about : field.wrong, room),
               field.wrong.empty() ? Style::dim : Style::bad);
}

}  // namespace pbm
