import { readHtml } from "./html.js";
import type { ReadDocument } from "./sections.js";

const MAX_ARTICLES = 2_000;
const MAX_CHARACTERS = 5_000_000;

type Facts = Record<string, unknown>;

/** Articles of a help centre, and where the next ones are. */
export interface ReadArticles {
  articles: (ReadDocument & { url: string | undefined })[];
  next: string | undefined;
  isCut: boolean;
}

/**
 * The articles of an export, or of an answer of the API: `{"articles": […]}` as Zendesk has it, `{"data": […]}` as Intercom does, or
 * a list. Each has a title and a body in HTML. Drafts are left out.
 * @throws Error: it holds no articles
 */
export function readHelpCentre(json: string): ReadArticles {
  const whole = JSON.parse(json) as unknown;
  const list = listOf(whole);
  if (!list) throw new Error("it holds no articles");
  const articles: ReadArticles["articles"] = [];
  let characters = 0;
  for (const one of list.slice(0, MAX_ARTICLES)) {
    const { title, body, url, isDraft } = articleOf(one);
    if (!title || !body || isDraft || (characters += body.length) > MAX_CHARACTERS) continue;
    articles.push({ ...readHtml(`<body>${body}</body>`, { title, url }), url });
  }
  const { next_page: page, pages } = (whole ?? {}) as Facts;
  const next = page ?? ((pages ?? {}) as Facts).next;
  return {
    articles,
    next: typeof next === "string" && next ? next : undefined,
    isCut: list.length > MAX_ARTICLES || characters > MAX_CHARACTERS,
  };
}

function listOf(whole: unknown): unknown[] | undefined {
  if (Array.isArray(whole)) return whole as unknown[];
  if (typeof whole !== "object" || whole === null) return undefined;
  const { articles, data, results } = whole as Facts;
  return [articles, data, results].find((one) => Array.isArray(one));
}

function articleOf(one: unknown): { title: string; body: string; url: string | undefined; isDraft: boolean } {
  const facts = (typeof one === "object" && one !== null ? one : {}) as Facts;
  const text = (...names: string[]): string =>
    (names.map((name) => facts[name]).find((value) => typeof value === "string" && value) as string | undefined) ?? "";
  const url = text("html_url", "url", "link");
  return {
    title: text("title", "name", "question"),
    body: text("body", "content", "html", "answer"),
    url: /^https?:\/\//i.test(url) && URL.canParse(url) && url.length <= 2_000 ? url : undefined,
    isDraft: facts.draft === true || facts.state === "draft" || facts.status === "draft",
  };
}
