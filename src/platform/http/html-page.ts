import { hash } from "node:crypto";
import type { FastifyReply } from "fastify";
import { errorHeaders } from "./error-codes.js";

/** An answer for a person in a browser, not for a program. */
export class Html {
  constructor(
    readonly text: string,
    readonly status: number = 200,
  ) {}
}

export interface PageParts {
  /** ISO 639-1: the language of the text. */
  lang: string;
  title: string;
  /** The HTML inside `<main>`. Pass all text from outside through `escape` first. */
  body: string;
}

const STYLE = `
:root { color-scheme: light dark; --ground: #f4f4f1; --card: #fff; --line: #e2e2dc; --text: #1c1d20; --quiet: #5a5d66; --edge: #84868d; --accent: #1d4ed8; --on-accent: #fff; --fault: #b42318 }
@media (prefers-color-scheme: dark) { :root { --ground: #131417; --card: #1c1e22; --line: #31343a; --text: #ededf0; --quiet: #a8abb4; --edge: #7c808a; --accent: #9db8ff; --on-accent: #10162b; --fault: #ff9b8f } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; min-height: 100svh; display: grid; align-items: center; padding: 1rem; background: var(--ground); color: var(--text); font: 1.0625rem/1.55 system-ui, sans-serif }
main { width: 100%; max-width: 30rem; margin: auto; padding: clamp(1.5rem, 6vw, 2.5rem); background: var(--card); border: 1px solid var(--line); border-radius: 1rem; overflow-wrap: break-word; hyphens: auto }
h1 { margin: 0 0 .75rem; font-size: 1.625rem; line-height: 1.25; text-wrap: balance }
p { margin: 0 0 1rem; text-wrap: pretty }
main > :last-child { margin-bottom: 0 }
.logo { display: block; max-width: 100%; height: 2.5rem; margin-bottom: 1rem; object-fit: scale-down; object-position: left; filter: drop-shadow(0 0 1px #0008) }
@media (prefers-color-scheme: dark) { .logo { filter: drop-shadow(0 0 1px #fff) drop-shadow(0 0 1px #fff) } }
.from { margin-bottom: 1.5rem; color: var(--quiet); font-size: .9375rem }
.from strong { color: var(--text) }
.small { color: var(--quiet); font-size: .9375rem }
form { margin: 1.5rem 0 }
button { width: 100%; min-height: 3.25rem; padding: .75rem 1rem; border: 2px solid transparent; border-radius: .625rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer }
button:hover { filter: brightness(1.08) }
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
fieldset { margin: 0 0 1.5rem; padding: 0; border: 0; min-width: 0 }
legend { padding: 0 }
legend h1 { margin-bottom: 1.25rem; font-size: clamp(1.25rem, 6.5vw, 1.625rem) }
.scores { display: grid; gap: clamp(.25rem, 1vw, .5rem) }
.of-2 { grid-template-columns: repeat(2, 1fr) }
.of-2 .score { justify-content: flex-start }
.of-5, .of-10 { grid-template-columns: repeat(5, 1fr) }
.scores label { position: relative; cursor: pointer }
.scores input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer }
.score { display: flex; flex-direction: column; align-items: center; justify-content: center; height: 100%; min-height: 3.25rem; padding: .5rem .25rem; border: 2px solid var(--edge); border-radius: .625rem; font-size: 1.125rem; font-weight: 600; text-align: center }
.face { width: 2.5rem; height: 2.5rem; margin: .25rem 0 .5rem; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round }
.scores label:hover .score { border-color: var(--accent) }
.scores input:checked + .score { border-color: var(--accent); background: var(--accent); color: var(--on-accent) }
.scores input:focus-visible + .score, textarea:focus-visible, input:not([type]):focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
.ends { display: flex; justify-content: space-between; gap: 1rem; margin-top: .5rem; color: var(--quiet); font-size: .9375rem }
.ends :last-child { text-align: end }
.field { display: block; margin-bottom: 1.5rem }
textarea, input:not([type]) { display: block; width: 100%; margin-top: .5rem; padding: .75rem; border: 2px solid var(--edge); border-radius: .625rem; background: var(--card); color: var(--text); font: inherit; resize: vertical }
.number { font-size: 2.5rem; line-height: 1; letter-spacing: .1em }
.fault { padding: .75rem 1rem; border-inline-start: 4px solid var(--fault); background: var(--ground) }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
`;

/** The page loads nothing but pictures of this server, and runs no scripts. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${hash("sha256", STYLE, "base64")}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  // The page's URL may contain a token.
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
  "X-Robots-Tag": "noindex, nofollow",
};

/** Sends a page. Programs find the code of a failure in a header, as they do in JSON. */
export const sendHtml = (reply: FastifyReply, { text, status }: Html, headers?: Record<string, string>): FastifyReply =>
  reply
    .status(status)
    .headers({ ...PAGE_HEADERS, ...headers, ...(status >= 400 && errorHeaders(status)) })
    .type("text/html; charset=utf-8")
    .send(text);

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes text for HTML, between tags and in quoted attributes. */
export const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

/** A small page without scripts, for any width and both colour schemes. */
export const page = ({ lang, title, body }: PageParts): string => `<!doctype html>
<html lang="${escape(lang)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
