import { escape, Html, page } from "../../platform/http/html-page.js";
import type { Mail } from "../../platform/outbox/outbox-kind.js";
import { magicLinkTexts, supportedLanguage } from "./magic-link-texts.js";

/** Who asks the person to prove who they are, and in which language. */
export interface Sender {
  brand: string;
  workspace: string;
  language: string;
}

/** A name on one line, because it is part of a mail's subject. */
const oneLine = (name: string): string => name.replace(/\s+/g, " ").trim();
const names = ({ brand, workspace }: Sender): string[] => [...new Set([oneLine(brand), oneLine(workspace)])];

export function mailFor(sender: Sender, to: string, url: string, minutes: number): Mail {
  const texts = magicLinkTexts(sender.language, { who: oneLine(sender.brand), minutes });
  return {
    to,
    subject: texts.subject,
    body: `${[texts.hello, `${texts.why} ${texts.open}`, url, texts.holds, texts.notYou].join("\n\n")}\n\n-- \n${names(sender).join("\n")}\n`,
  };
}

/** The page with the button, which posts to the page's own address. */
export function confirmPage(sender: Sender): Html {
  const texts = magicLinkTexts(sender.language, { who: oneLine(sender.brand) });
  return htmlPage(sender.language, texts.title, [
    senderLine(sender),
    `<h1>${escape(texts.title)}</h1>`,
    `<p>${escape(texts.why)}</p>`,
    `<p>${escape(texts.effect)}</p>`,
    `<form method="post"><button>${escape(texts.button)}</button></form>`,
    `<p class="small">${escape(texts.notYouHere)}</p>`,
  ]);
}

export function confirmedPage(sender: Sender): Html {
  const texts = magicLinkTexts(sender.language);
  return htmlPage(sender.language, texts.done, [
    senderLine(sender),
    `<h1>${escape(texts.done)}</h1>`,
    `<p>${escape(texts.doneMore)}</p>`,
  ]);
}

/** The same page for used, expired, replaced and unknown links, without any name on it. */
export function unusableLinkPage(language: string): Html {
  const texts = magicLinkTexts(language);
  return htmlPage(language, texts.dead, [`<h1>${escape(texts.dead)}</h1>`, `<p>${escape(texts.deadMore)}</p>`], 404);
}

const htmlPage = (language: string, title: string, body: string[], status?: number): Html =>
  new Html(page({ lang: supportedLanguage(language), title, body: body.join("\n") }), status);

function senderLine(sender: Sender): string {
  const [brand, workspace] = names(sender).map(escape);
  return `<p class="from"><strong>${brand}</strong>${workspace === undefined ? "" : `<br>${workspace}`}</p>`;
}
