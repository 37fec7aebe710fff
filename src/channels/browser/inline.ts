import { directionOf, embedding, GROUNDS, h, palette, shadow } from "./common.js";

/** The appearance settings that both inline widgets get. */
export interface Look {
  title: string | null;
  colour: string;
  language: string;
  placeholder: string | null;
}
/** An inline widget on a page, and its server. */
export interface Mount<Config extends Look> {
  config: Config;
  root: ShadowRoot;
  ask: (path: string, init?: RequestInit) => Promise<Response>;
  fresh: () => Promise<Config>;
}

const FRAME = `
:host { display: block; max-width: 42rem; font: 400 1rem/1.5 system-ui, sans-serif; color: var(--text); text-align: start }
:host([hidden]) { display: none }
* { box-sizing: border-box }
.card { padding: clamp(1rem, 5vw, 1.75rem); border: 1px solid var(--edge); border-radius: 1rem; background: var(--ground) }
h2 { margin: 0 0 1.25rem; font-size: 1.375rem; line-height: 1.25; font-weight: 650; letter-spacing: -.01em; text-wrap: balance; overflow-wrap: anywhere }
h2:focus { outline: none }
p { margin: 0 }
input, textarea { display: block; width: 100%; min-height: 2.875rem; padding: .625rem .75rem; border: 1px solid var(--line); border-radius: .625rem; background: var(--field); color: inherit; font: inherit }
input::placeholder, textarea::placeholder { color: var(--quiet); opacity: 1 }
button { min-height: 2.875rem; padding: .625rem 1.5rem; border: 2px solid transparent; border-radius: .625rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer }
button:hover { filter: brightness(1.1) }
input:focus-visible, textarea:focus-visible, button:focus-visible, summary:focus-visible, a:focus-visible { outline: 3px solid var(--line); outline-offset: 2px }
@media (prefers-reduced-motion: no-preference) { input, textarea { transition: border-color .12s } }
`;

/** Whether the background of the element is dark. Looks at the ancestors until one has a colour. */
function isDark(element: HTMLElement): boolean {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const [r, g, b, alpha] = partsOf(getComputedStyle(at).backgroundColor, element);
    if (alpha > 0.5) return 0.299 * r + 0.587 * g + 0.114 * b < 110;
  }
  return false;
}

/** Red, green and blue up to 255, and the opacity. @param on computes a colour of another kind, such as `oklch(…)` */
function partsOf(colour: string, on: HTMLElement): [r: number, g: number, b: number, alpha: number] {
  const numbers = (text: string): number[] => text.match(/[\d.e-]+/g)?.map(Number) ?? [];
  if (colour.startsWith("rgb")) {
    const [r = 0, g = 0, b = 0, alpha = 1] = numbers(colour);
    return [r, g, b, alpha];
  }
  // The browser says it in shares of red, green and blue: `color(srgb 0.9 0.9 0.9 / 0.5)`.
  on.style.backgroundColor = `color-mix(in srgb, ${colour}, ${colour})`;
  const [r = 1, g = 1, b = 1, alpha = 1] = numbers(getComputedStyle(on).backgroundColor.replace("color(srgb", ""));
  on.style.backgroundColor = "";
  return [r * 255, g * 255, b * 255, alpha];
}

/**
 * Loads the widget's appearance and shows the widget in place of its script. Shows nothing if the server does not
 * know the widget.
 */
export async function mount<Config extends Look>(
  kind: string,
  css: string,
  show: (mounted: Mount<Config>) => void,
): Promise<void> {
  const embedded = embedding();
  if (!embedded) return;
  const { script, key, origin } = embedded;
  const base = `${origin}/api/public/${kind}/${encodeURIComponent(key)}`;
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(base + path, { credentials: "omit", ...init });
  const fresh = async (): Promise<Config> => {
    const response = await ask("");
    if (!response.ok) throw new Error(((await response.json()) as { error: string }).error);
    return (await response.json()) as Config;
  };
  try {
    const config = await fresh();
    const host = h("div", { lang: config.language, dir: directionOf(config.language) });
    if (script.parentElement && script.parentElement !== document.head) script.after(host);
    else document.body.append(host);
    const dark = isDark(host);
    const { accent, onAccent, line } = palette(config.colour, dark ? "dark" : "light");
    const colours = dark
      ? `--ground: ${GROUNDS.dark.ground}; --field: #131417; --edge: #31343a; --line: #868a94; --text: #ededf0; --quiet: #a8abb4; --wrong: #ff9c92; color-scheme: dark`
      : `--ground: ${GROUNDS.light.ground}; --field: #fff; --edge: #e2e2dc; --line: #7b7f88; --text: #1c1d20; --quiet: #5a5d66; --wrong: #b3261e; color-scheme: light`;
    const root = shadow(
      host,
      `:host { ${colours}; --accent: ${accent}; --on-accent: ${onAccent}; --line: ${line} }${FRAME}${css}`,
    );
    show({ config, root, ask, fresh });
  } catch (error) {
    // For whoever puts it on the page; visitors have the rest of it.
    // eslint-disable-next-line no-console
    console.warn(`Parley (${kind}): ${(error as Error).message}`);
  }
}

/** Puts `n` in place of `{n}` in a text. */
export const filled = (text: string, n: number): string => text.replace("{n}", String(n));
