import type { Schemas } from "../../api/parley.js";
import { isAddress } from "../../ui/address.js";
import type { To } from "./draft.js";

const PHONE = /^\+[1-9]\d{6,14}$/;

/** The person behind an address that was typed; undefined if it is none. Phone numbers begin with the code of their country. */
export function personAt(typed: string): To | undefined {
  const text = typed.trim();
  if (isAddress(text)) return { name: text, emails: [text.toLowerCase()], phones: [] };
  const digits = text.replace(/[\s()./-]/g, "").replace(/^00/, "+");
  return PHONE.test(digits) ? { name: digits, emails: [], phones: [digits] } : undefined;
}

type Channel = Pick<Schemas["Channel"], "type" | "status">;
/** In this order one is chosen. In a chat or a call nobody is there who would read it. */
const TYPES = ["email", "sms", "api"] as const;
const isType = (type: string): type is (typeof TYPES)[number] => (TYPES as readonly string[]).includes(type);

const reaches = (type: (typeof TYPES)[number], to: To | undefined): boolean =>
  to === undefined || type === "api" || (type === "email" ? to.emails : to.phones).length > 0;

/** The channels by which somebody can be written to, the most likely first. Without somebody, those that can write at all. */
export const channelsTo = <C extends Channel>(channels: readonly C[], to: To | undefined): C[] =>
  TYPES.flatMap((type) =>
    channels.filter(
      (channel) =>
        channel.type === type && isType(channel.type) && channel.status === "active" && reaches(channel.type, to),
    ),
  );

/** How wide the labels of the fields are: as wide as the longest in any language. */
export const LABEL = "w-32 shrink-0 max-sm:w-28 text-muted";
