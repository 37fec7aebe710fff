// Shared code of the widgets. They run on other websites' pages. A shadow root isolates the page's styles from ours.
// Style sheets are constructed, because a strict Content-Security-Policy allows that. All external content becomes
// text, never HTML.

type Child = Node | string | null | undefined;

/** Creates an element with attributes and children. Attributes that are `false` or undefined are left out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number | boolean | undefined> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  element.append(...children.filter((child): child is Node | string => child != null));
  return element;
}

/** An icon of 24 by 24 in the current text colour, hidden from screen readers. */
export function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [name, value] of Object.entries({
    viewBox: "0 0 24 24",
    width: "24",
    height: "24",
    fill: "none",
    stroke: "currentColor",
    "stroke-width": "2",
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
    "aria-hidden": "true",
    focusable: "false",
  }))
    svg.setAttribute(name, value);
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/**
 * The script element that put the widget on the page, with its key and server. Only works while the script first
 * runs.
 */
export function embedding(): { script: HTMLScriptElement; key: string; origin: string } | undefined {
  const script = document.currentScript;
  if (!(script instanceof HTMLScriptElement) || !script.dataset.key) return undefined;
  return { script, key: script.dataset.key, origin: new URL(script.src).origin };
}

/** A shadow root on the page. It isolates its styles from the page's and the page's from its own. */
export function shadow(host: HTMLElement, css: string): ShadowRoot {
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
  return root;
}

type Rgb = [number, number, number];
const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
const INK: Rgb = [17, 18, 22];
/** The backgrounds of panels and of raised parts. A colour that is readable on raised parts is readable on both. */
export const GROUNDS = {
  light: { ground: "#ffffff", raised: "#f1f2f5" },
  dark: { ground: "#1c1e22", raised: "#2a2d33" },
} as const;
/** The contrast that WCAG 2.2 AA requires for text. Every configured colour is adjusted to it. */
const ENOUGH = 4.5;

const rgb = (hex: string): Rgb => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)) as Rgb;
const hex = (colour: Rgb): string =>
  `#${colour.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((part) =>
    part <= 10.31 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  ) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Moves the colour towards `end` just enough to be readable on `ground`. */
function readable(colour: Rgb, ground: Rgb, end: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.04) {
    const moved = colour.map((part, i) => part + (end[i]! - part) * share) as Rgb;
    if (contrast(moved, ground) >= ENOUGH) return moved;
  }
  return end;
}

export interface Palette {
  /** The colour as a background, and the text colour on it. */
  accent: string;
  onAccent: string;
  /** The colour for lines and text, adjusted as little as possible. */
  line: string;
}

/** Makes a palette from any brand colour, `#rrggbb`, so that all text is readable. */
export function palette(colour: string, scheme: "light" | "dark"): Palette {
  const ground = rgb(colour);
  const line = readable(ground, rgb(GROUNDS[scheme].raised), scheme === "light" ? INK : WHITE);
  return { accent: colour, onAccent: hex(contrast(ground, WHITE) >= ENOUGH ? WHITE : BLACK), line: hex(line) };
}

const RIGHT_TO_LEFT = new Set(["ar", "dv", "fa", "he", "ks", "ku", "ps", "sd", "ug", "ur", "yi"]);
export const directionOf = (language: string): "ltr" | "rtl" =>
  RIGHT_TO_LEFT.has(language.slice(0, 2).toLowerCase()) ? "rtl" : "ltr";

/** The texts in the first available of these languages. The table always has English. */
export function wordsIn<Words>(
  table: Record<string, Words> & { en: Words },
  ...languages: (string | undefined)[]
): { language: string; words: Words } {
  const language =
    languages.map((one) => one?.slice(0, 2).toLowerCase()).find((one) => one !== undefined && one in table) ?? "en";
  return { language, words: table[language]! };
}
