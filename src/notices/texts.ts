import type { PushedNotice } from "./push-sender.js";
import type { Reason } from "./reason.js";

/** What notices and mails to members say. The titles are those of the dashboard's own notices. */
interface Texts {
  titles: Record<Reason, (name: string) => string>;
  nameless: string;
  test: { title: string; body: string };
  mail: {
    subject: (contact: string) => string;
    greeting: (name: string) => string;
    unread: (contact: string) => string;
    wrote: (author: string) => string;
    more: (count: number) => string;
    turnOff: (link: string) => string;
  };
}

const en: Texts = {
  titles: {
    mine: (name) => `${name} wrote to you`,
    mentions: (name) => `You are named in a note about ${name}`,
    urgent: (name) => `Urgent: ${name}`,
    unassigned: (name) => `${name} wrote, and nobody has it yet`,
  },
  nameless: "Unnamed contact",
  test: { title: "Notices work on this device", body: "This is what you asked for." },
  mail: {
    subject: (contact) => `You are named in a note about ${contact}`,
    greeting: (name) => `Hello ${name},`,
    unread: (contact) => `you are named in a note about ${contact}, and have not read it yet.`,
    wrote: (author) => `${author} wrote:`,
    more: (count) => (count === 1 ? "One more note names you." : `${count} more notes name you.`),
    turnOff: (link) => `You get this mail because you asked for it. Turn it off in your preferences: ${link}`,
  },
};

const de: Texts = {
  titles: {
    mine: (name) => `${name} hat dir geschrieben`,
    mentions: (name) => `Du bist in einer Notiz über ${name} genannt`,
    urgent: (name) => `Dringend: ${name}`,
    unassigned: (name) => `${name} hat geschrieben, und noch hat es niemand`,
  },
  nameless: "Kontakt ohne Namen",
  test: { title: "Mitteilungen kommen auf diesem Gerät an", body: "Das ist die, um die du gebeten hast." },
  mail: {
    subject: (contact) => `Du bist in einer Notiz über ${contact} genannt`,
    greeting: (name) => `Hallo ${name},`,
    unread: (contact) => `du bist in einer Notiz über ${contact} genannt und hast sie noch nicht gelesen.`,
    wrote: (author) => `${author} schrieb:`,
    more: (count) => (count === 1 ? "Noch eine Notiz nennt dich." : `Noch ${count} Notizen nennen dich.`),
    turnOff: (link) =>
      `Du bekommst diese Mail, weil du sie wolltest. In deinen Einstellungen stellst du sie ab: ${link}`,
  },
};

const TEXTS: Readonly<Record<string, Texts>> = { en, de };
/** English if there are none in the language. */
export const textsIn = (language: string | null | undefined): Texts => TEXTS[language ?? "en"] ?? en;

/** What a member asked for to see whether notices arrive. */
export const testNotice = (language: string): PushedNotice => ({
  ...textsIn(language).test,
  tag: "test",
  path: "/settings/preferences",
});
