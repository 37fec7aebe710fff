import { escape, Html, page } from "../../platform/http/html-page.js";
import type { Asker } from "../possession/proof-recipient.js";
import { magicLinkTexts, supportedLanguage } from "./magic-link-texts.js";

/** Who asks the person to prove who they are, and in which language. */
export interface Sender extends Asker {
  language: string;
}

/** A name on one line, because it is part of a mail's subject. */
export const oneLine = (name: string): string => name.replace(/\s+/g, " ").trim();
const names = ({ brand, workspace }: Sender): string[] => [...new Set([oneLine(brand), oneLine(workspace)])];

/** What is sent: as a mail, or as a text. */
export function messageFor(
  sender: Sender,
  url: string,
  minutes: number,
): { subject: string; body: string; text: string } {
  const texts = magicLinkTexts(sender.language, { who: oneLine(sender.brand), minutes, link: url });
  return {
    subject: texts.subject,
    body: `${[texts.hello, `${texts.why} ${texts.open}`, url, texts.holds, texts.notYou].join("\n\n")}\n\n-- \n${names(sender).join("\n")}\n`,
    text: texts.text,
  };
}

/** The message in the conversation that goes with a link. */
export function announcement(language: string, code: string, asksCode: boolean): string {
  const { announced, announcedToEnter } = magicLinkTexts(language, { code });
  return asksCode ? announcedToEnter : announced;
}

/** The page with the button, which posts to the page's own address. It shows the link's number or asks for it. */
export function confirmPage(sender: Sender, number: { code: string } | { ask: "first" | "again" }): Html {
  const texts = magicLinkTexts(sender.language, { who: oneLine(sender.brand) });
  const again = "ask" in number && number.ask === "again";
  const form =
    "code" in number
      ? [
          `<p>${escape(texts.sameCode)}</p>`,
          `<p class="number"><strong>${escape(number.code)}</strong></p>`,
          `<p>${escape(texts.otherCode)}</p>`,
          `<form method="post"><button>${escape(texts.button)}</button></form>`,
        ]
      : [
          '<form method="post">',
          `<label class="field">${escape(texts.enterCode)}`,
          `<input name="code" inputmode="numeric" autocomplete="off" maxlength="2" pattern="[0-9]{2}" required${again ? ' aria-invalid="true" aria-describedby="wrong"' : ""}></label>`,
          `<button>${escape(texts.button)}</button></form>`,
        ];
  return htmlPage(
    sender.language,
    texts.title,
    [
      senderLine(sender),
      `<h1>${escape(texts.title)}</h1>`,
      ...(again ? [`<p class="fault" id="wrong" role="alert">${escape(texts.wrongCode)}</p>`] : []),
      `<p>${escape(texts.why)}</p>`,
      `<p>${escape(texts.effect)}</p>`,
      ...form,
      `<p class="small">${escape(texts.notYouHere)}</p>`,
    ],
    again ? 422 : undefined,
  );
}

/** @param counts whether it is confirmed who the person is, and not only that they have the address */
export function confirmedPage(sender: Sender, counts: boolean): Html {
  const texts = magicLinkTexts(sender.language);
  return htmlPage(sender.language, texts.done, [
    senderLine(sender),
    `<h1>${escape(texts.done)}</h1>`,
    `<p>${escape(counts ? texts.doneMore : texts.doneAddress)}</p>`,
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
