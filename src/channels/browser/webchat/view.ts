import { h, icon } from "../common.js";
import { linked, rich } from "../rich.js";
import type { File, Message } from "./connection.js";
import type { Words } from "./words.js";

export const ICONS = {
  chat: "M4 5.5A1.5 1.5 0 0 1 5.5 4h13A1.5 1.5 0 0 1 20 5.5v9a1.5 1.5 0 0 1-1.5 1.5H10l-4.5 4v-4A1.5 1.5 0 0 1 4 14.5z",
  down: "M6 9.5l6 6 6-6",
  close: "M6 6l12 12M18 6L6 18",
  send: "M4 12h15M13 6l6 6-6 6",
  attach: "M20 11.5l-8.2 8.2a5 5 0 0 1-7.1-7.1l8.6-8.6a3.4 3.4 0 0 1 4.8 4.8l-8.6 8.5a1.7 1.7 0 0 1-2.4-2.4l7.8-7.8",
  file: "M13 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V9zM13 3v6h6",
};

/** A message in the log. `state` is set for a visitor's message that the server does not have yet. */
export interface Shown extends Message {
  state?: "sending" | "failed";
}

function sizeOf(bytes: number, language: string): string {
  const [value, unit] =
    bytes < 1_000_000
      ? [Math.max(1, Math.round(bytes / 1_000)), "kilobyte"]
      : [Math.round(bytes / 100_000) / 10, "megabyte"];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(value);
}

/** The day of a message. Today and yesterday are written as words. */
export function dayOf(time: Date, language: string): string {
  const days = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(time).setHours(0, 0, 0, 0)) / 86_400_000);
  const text =
    days < 2
      ? new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(-days, "day")
      : new Intl.DateTimeFormat(language, { weekday: "long", day: "numeric", month: "long" }).format(time);
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}

function fileElement({ fileName, contentType, size, width, height, url }: File, language: string): HTMLElement {
  const asLink = (): HTMLElement =>
    h(
      "a",
      { class: "file", href: url, target: "_blank", rel: "noopener noreferrer", download: fileName },
      icon(ICONS.file),
      h("span", {}, `${fileName} (${sizeOf(size, language)})`),
    );
  if (!/^image\/(png|jpeg|gif|webp)$/.test(contentType) || !width || !height) return asLink();
  const image = h("img", { src: url, alt: fileName, width, height, loading: "lazy" });
  const element = h("a", { class: "picture", href: url, target: "_blank", rel: "noopener noreferrer" }, image);
  // The page's policy may block our images.
  image.addEventListener("error", () => {
    element.replaceWith(asLink());
  });
  return element;
}

/** A list of the choices at the end says what their buttons say. */
function withoutChoices({ body, choices }: Message): string {
  const list = choices.map((choice, n) => `\n${n + 1}. ${choice}`).join("");
  return list && body.endsWith(list) ? body.slice(0, -list.length) : body;
}

/** The text of a message. A visitor's own has no format. */
const textElement = (body: string, isFormatted: boolean): HTMLElement =>
  isFormatted
    ? h("div", { class: "text rich", dir: "auto" }, ...rich(body))
    : h("div", { class: "text", dir: "auto" }, ...linked(body));

/** @param same it directly follows another message of the same author */
export function messageElement(
  message: Shown,
  same: boolean,
  words: Words,
  language: string,
  again: () => void,
): HTMLElement {
  const { direction, bodyFormat, attachments, createdAt, state } = message;
  const body = withoutChoices(message);
  const author = message.automated ? `${message.author ?? ""} · ${words.automated}` : message.author;
  const own = direction === "inbound";
  const time = h(
    "time",
    { datetime: createdAt },
    new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" }).format(new Date(createdAt)),
  );
  const meta = h("div", { class: "meta" });
  if (state === "failed") {
    const retry = h("button", { type: "button", class: "again" }, words.retry);
    retry.addEventListener("click", again);
    meta.append(words.failed, retry);
  } else if (own) meta.append(time, ` ${state === "sending" ? words.sending : words.sent}`);
  else meta.append(`${author ?? ""} `, time);
  // A file without text has its name as the body.
  const bare = attachments.length > 0 && body === attachments.map(({ fileName }) => fileName).join(", ");
  return h(
    "div",
    { class: `message${own ? " own" : ""}${same ? " same" : ""}${state === "failed" ? " failed" : ""}` },
    h("span", { class: "sr" }, `${own ? words.you : (author ?? "")}: `),
    bare ? null : textElement(body, !own && bodyFormat === "markdown"),
    ...attachments.map((file) => fileElement(file, language)),
    meta,
  );
}
