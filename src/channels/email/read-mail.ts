import { type ParsedMail, simpleParser, type SimpleParserOptions } from "mailparser";
import { charsetOf, isUsual, repairMail } from "./repair-mail.js";

/** How far into a mail texts are looked for that are in another alphabet than it says. */
const MAX_RELABELLED = 1_048_576;

/** A mail as its program meant it: see `repairMail`. @throws Error: it cannot be parsed */
export async function readMail(source: Buffer, options: SimpleParserOptions): Promise<ParsedMail> {
  const repaired = repairMail(source);
  const mail = await simpleParser(repaired, options);
  if (!isBroken(mail.text) && !isBroken(mail.html)) return mail;
  const named = charsetOf(repaired);
  const charset = named === undefined || isUsual(named) ? "windows-1252" : named;
  const other = await simpleParser(relabelled(repaired, charset), options).catch(() => undefined);
  return other ? { ...mail, text: better(mail.text, other.text), html: better(mail.html, other.html) } : mail;
}

/** So much of a text is looked at, because each letter is counted. */
const MAX_COUNTED = 100_000;

/** Not UTF-8, although it was read as such. One that was cut off within a letter has many others. */
function isBroken(text: string | false | undefined): boolean {
  if (!text || !text.includes("\ufffd")) return false;
  const beginning = text.slice(0, MAX_COUNTED);
  const letters = beginning.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0;
  return letters < 4 * (beginning.split("\ufffd").length - 1);
}

/** UTF-8 that was read as Windows-1252: some parts are UTF-8, or a program had lost letters before and sent the sign for that. */
const MISREAD = /ï¿½|Ã[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€/;

function better<Text extends string | false | undefined>(text: Text, other: Text): Text {
  return isBroken(text) && other && !MISREAD.test(other) ? other : text;
}

const TEXT = /^(content-type:[ \t]*text\/(?:plain|html)\b)([^\n]{0,300}(?:\n[ \t][^\n]{0,200}){0,5})/gim;
const PARAMETER = /;\s{0,9}charset\s{0,9}=\s{0,9}(?:"[^"\n]{0,40}"|[^\s;"]{0,40})/i;

/** The same mail, whose texts say that they are in this alphabet if they named none, or what every program names. */
function relabelled(source: Buffer, charset: string): Buffer {
  const beginning = source.subarray(0, MAX_RELABELLED).toString("latin1");
  const [head = ""] = beginning.split(/\r?\n\r?\n/, 1);
  const told = beginning.replace(TEXT, (whole, type: string, rest: string) => {
    const named = PARAMETER.exec(rest)?.[0];
    const value = named?.replace(/^.*?=\s*/s, "").replaceAll('"', "");
    return value && !isUsual(value) ? whole : `${type}; charset=${charset}${rest.replace(PARAMETER, "")}`;
  });
  const whole = /^content-type:/im.test(head) ? told : `Content-Type: text/plain; charset=${charset}\r\n${told}`;
  return Buffer.concat([Buffer.from(whole, "latin1"), source.subarray(MAX_RELABELLED)]);
}
