const MAX_VALUE = 200;

/** What text, boxes and tables look like. Nothing that loads, or that leaves its place. */
const PROPERTIES = new Set([
  "background", "background-color", "border", "border-bottom", "border-bottom-color", "border-bottom-style", "border-bottom-width",
  "border-collapse", "border-color", "border-left", "border-left-color", "border-left-style", "border-left-width", "border-radius",
  "border-right", "border-right-color", "border-right-style", "border-right-width", "border-spacing", "border-style", "border-top",
  "border-top-color", "border-top-style", "border-top-width", "border-width", "clear", "color", "direction", "display", "float",
  "font", "font-family", "font-size", "font-style", "font-variant", "font-weight", "height", "letter-spacing", "line-height",
  "list-style", "list-style-type", "margin", "margin-bottom", "margin-left", "margin-right", "margin-top", "max-width", "min-width",
  "padding", "padding-bottom", "padding-left", "padding-right", "padding-top", "table-layout", "text-align", "text-decoration",
  "text-indent", "text-transform", "unicode-bidi", "vertical-align", "white-space", "width", "word-break", "word-wrap",
]); // prettier-ignore

/** Words, numbers and colours. No other function, so no `url()`, and no escape, with which one could be written. */
const VALUE = /^(?:[^()\\<>@{}]|(?<=\b(?:rgb|hsl)a?)\([\d\s,.%/]*\))*$/i;

/** Parts of the height of the window: the frame of a mail becomes as high as its page, which would grow with it without end. */
const OF_WINDOW = /\d(?:[dls]?v|cq)(?:h|b|min|max)\b/i;

/** A `style` attribute, with the declarations that are known to be harmless. Undefined if none is. */
export function cleanStyle(style: string): string | undefined {
  const kept = style.split(";").flatMap((declaration) => {
    const colon = declaration.indexOf(":");
    const name = declaration.slice(0, colon).trim().toLowerCase();
    const value = declaration.slice(colon + 1).trim();
    const isHarmless =
      PROPERTIES.has(name) && value !== "" && value.length <= MAX_VALUE && VALUE.test(value) && !OF_WINDOW.test(value);
    return isHarmless ? [`${name}: ${value}`] : [];
  });
  return kept.length > 0 ? kept.join("; ") : undefined;
}
