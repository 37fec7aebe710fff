/** In this order: browsers name the ones that they descend from, too. */
const BROWSERS: readonly (readonly [mark: string, name: string])[] = [
  ["Edg", "Edge"],
  ["OPR/", "Opera"],
  ["SamsungBrowser/", "Samsung Internet"],
  ["Firefox/", "Firefox"],
  ["FxiOS/", "Firefox"],
  ["CriOS/", "Chrome"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
];
const SYSTEMS: readonly (readonly [mark: string, name: string])[] = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["CrOS", "ChromeOS"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
];

/** The browser and the system that a `User-Agent` names. For a program, its name. */
export function deviceName(userAgent: string | null): string {
  const text = userAgent ?? "";
  const [, browser] = BROWSERS.find(([mark]) => text.includes(mark)) ?? [];
  const [, system] = SYSTEMS.find(([mark]) => text.includes(mark)) ?? [];
  if (browser) return system ? `${browser} on ${system}` : browser;
  const [program] = /^[\w.-]{1,40}(?=\/|$)/.exec(text) ?? [];
  return program ?? "Unknown device";
}
