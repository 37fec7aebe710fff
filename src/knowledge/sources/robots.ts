/** More of the file is not looked at, as RFC 9309 allows. */
const MAX_CHARACTERS = 500_000;
const MAX_RULES = 5_000;
/** Of all rules of a group. Each is looked for in each address of the site, which may be as long as the search can bear. */
const MAX_STARS = 100;
/** A site that asks for more time between two requests is read in this rhythm, and so only in part. */
const MAX_DELAY_SECONDS = 30;
/** The name by which `robots.txt` means Parley. */
const AGENT = "parley";

interface Rule {
  length: number;
  /** What is between its stars. */
  parts: string[];
  /** It ends with `$`: so must the path. */
  isWhole: boolean;
  allows: boolean;
}
export interface Robots {
  /** @param path with its query */
  allows: (path: string) => boolean;
  /** Seconds between two requests. */
  delay: number;
  sitemaps: string[];
}

/** What `robots.txt` asks of Parley, or, if it does not name Parley, of everybody. */
export function robotsOf(text: string): Robots {
  const groups = { own: group(), all: group() };
  const sitemaps: string[] = [];
  let agents: string[] = [];
  let isNaming = false;
  for (const line of text.slice(0, MAX_CHARACTERS).split(/\r\n?|\n/)) {
    const said = line.split("#", 1)[0]!;
    const colon = said.indexOf(":");
    if (colon < 0) continue;
    const [field, value] = [said.slice(0, colon).trim().toLowerCase(), said.slice(colon + 1).trim()];
    if (field === "sitemap") sitemaps.push(value);
    else if (field === "user-agent") {
      agents = isNaming ? [...agents, value.toLowerCase()] : [value.toLowerCase()];
      isNaming = agents.length < 100;
      continue;
    }
    isNaming = false;
    for (const named of [agents.includes(AGENT) && groups.own, agents.includes("*") && groups.all])
      if (named) add(named, field, value);
  }
  const { rules, delay } = groups.own.isNamed ? groups.own : groups.all;
  // The longest rule that matches decides; of two of the same length, the one that allows.
  rules.sort((a, b) => b.length - a.length || Number(b.allows) - Number(a.allows));
  return { allows: (path) => isAllowed(rules, path), delay, sitemaps };
}

interface Group {
  isNamed: boolean;
  rules: Rule[];
  stars: number;
  delay: number;
}
const group = (): Group => ({ isNamed: false, rules: [], stars: 0, delay: 0 });

function add(to: Group, field: string, value: string): void {
  to.isNamed = true;
  if (field === "crawl-delay" && /^\d{1,6}(?:\.\d{1,3})?$/.test(value))
    to.delay = Math.min(Number(value), MAX_DELAY_SECONDS);
  // An empty `Disallow` forbids nothing.
  if ((field !== "allow" && field !== "disallow") || !value || to.rules.length >= MAX_RULES) return;
  const path = normal(value).replace(/\*+/g, "*");
  const isWhole = path.endsWith("$");
  const parts = (isWhole ? path.slice(0, -1) : path).split("*");
  if (to.stars + parts.length - 1 > MAX_STARS) return;
  to.stars += parts.length - 1;
  to.rules.push({ length: path.length, parts, isWhole, allows: field === "allow" });
}

function isAllowed(rules: readonly Rule[], path: string): boolean {
  const asked = normal(path);
  return rules.find((rule) => matches(rule, asked))?.allows ?? true;
}

/** `*` stands for anything, and a `$` at the end for the end. Each part is looked for once, so it takes linear time. */
function matches({ parts: [first = "", ...parts], isWhole }: Rule, path: string): boolean {
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const [i, part] of parts.entries()) {
    const found = isWhole && i === parts.length - 1 ? path.length - part.length : path.indexOf(part, at);
    if (found < at || !path.startsWith(part, found)) return false;
    at = found + part.length;
  }
  return !isWhole || at === path.length;
}

/** `/a%7eb` and `/a~b` are one path. */
function normal(path: string): string {
  try {
    return encodeURI(decodeURI(path));
  } catch {
    return path;
  }
}
