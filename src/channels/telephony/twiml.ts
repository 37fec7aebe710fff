// The response alone: the whole package takes half a second and 23 MB to load.
import VoiceResponse from "twilio/lib/twiml/VoiceResponse.js";
import type { Answer } from "../channel-kind.js";

/** What XML cannot hold. The library throws on it. */
const NOT_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** A language that the provider's voices speak. */
export type SpokenLanguage = NonNullable<VoiceResponse.SayAttributes["language"]>;

/** What the provider is to do, in the order in which `fill` names it. */
export function twiml(fill: (response: VoiceResponse) => void): Answer {
  const response = new VoiceResponse();
  fill(response);
  return { type: "text/xml; charset=utf-8", text: response.toString() };
}

/** Adds a sentence that a person wrote, without the characters that XML cannot hold. */
export function say(response: VoiceResponse, sentence: string, language: SpokenLanguage): void {
  response.say({ language }, sentence.replace(NOT_XML, ""));
}

/** It was taken; there is nothing to be done. */
export const NOTHING = twiml(() => undefined);
