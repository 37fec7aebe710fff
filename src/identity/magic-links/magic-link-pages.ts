import { escape, Html, page } from "../../platform/http/html-page.js";
import type { Mail } from "../../platform/outbox/outbox.service.js";
import { spoken, type Words, words } from "./magic-link-texts.js";

/** On whose behalf somebody is asked who they are, and in which language. */
export interface Asking {
  brand: string;
  workspace: string;
  language: string;
}

/** In one line, whatever breaks a name has: it stands in subjects. */
const line = (name: string): string => name.replace(/\s+/g, " ").trim();
const names = ({ brand, workspace }: Asking): string[] => [...new Set([line(brand), line(workspace)])];

export function mailFor(asking: Asking, to: string, url: string, minutes: number): Mail {
  const said = words(asking.language, { who: line(asking.brand), minutes });
  return {
    to,
    subject: said.subject,
    body: `${[said.hello, `${said.why} ${said.open}`, url, said.holds, said.notYou].join("\n\n")}\n\n-- \n${names(asking).join("\n")}\n`,
  };
}

/** The one button posts to the page's own address. */
export function askingPage(asking: Asking): Html {
  return show(asking.language, words(asking.language, { who: line(asking.brand) }), "title", (said) => [
    from(asking),
    `<h1>${escape(said.title)}</h1>`,
    `<p>${escape(said.why)}</p>`,
    `<p>${escape(said.effect)}</p>`,
    `<form method="post"><button>${escape(said.button)}</button></form>`,
    `<p class="small">${escape(said.notYouHere)}</p>`,
  ]);
}

export function donePage(asking: Asking): Html {
  return show(asking.language, words(asking.language), "done", (said) => [
    from(asking),
    `<h1>${escape(said.done)}</h1>`,
    `<p>${escape(said.doneMore)}</p>`,
  ]);
}

/** Of used, expired, replaced and unknown links the same one, and of nobody. */
export function deadPage(language: string): Html {
  return show(
    language,
    words(language),
    "dead",
    (said) => [`<h1>${escape(said.dead)}</h1>`, `<p>${escape(said.deadMore)}</p>`],
    404,
  );
}

const show = (
  language: string,
  said: Words,
  title: "title" | "done" | "dead",
  body: (said: Words) => string[],
  status?: number,
): Html => new Html(page({ lang: spoken(language), title: said[title], body: body(said).join("\n") }), status);

function from(asking: Asking): string {
  const [brand, workspace] = names(asking).map(escape);
  return `<p class="from"><strong>${brand}</strong>${workspace === undefined ? "" : `<br>${workspace}`}</p>`;
}
