import type { Answer } from "../channel-kind.js";
import { escape } from "../../platform/http/page.js";

/** What XML cannot hold. */
const CONTROLS = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const text = (value: string): string => escape(value.replace(CONTROLS, ""));

type Attributes = Record<string, string | number | boolean | undefined>;

/** An element; what is within is XML already, unless it is `said`. */
export const verb = (name: string, attributes: Attributes = {}, within = ""): string => {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${text(String(value))}"`)
    .join("");
  return within ? `<${name}${written}>${within}</${name}>` : `<${name}${written}/>`;
};
export const say = (sentence: string, language: string): string => verb("Say", { language }, text(sentence));
export const dial = (number: string, attributes: Attributes): string =>
  verb("Dial", attributes, verb("Number", {}, text(number)));

/** What the provider is to do, in this order. */
export const twiml = (...verbs: string[]): Answer => ({
  type: "text/xml; charset=utf-8",
  text: `<?xml version="1.0" encoding="UTF-8"?>${verb("Response", {}, verbs.join(""))}`,
});
/** It was taken; there is nothing to be done. */
export const NOTHING = twiml();
