import { namedEnum } from "../../platform/enums/named-enum.js";
import { lettersAndDigits, normaliseText, transcribe } from "../answers/normalise-text.js";
import { readDate } from "../answers/read-date.js";

export const BINDING_MATCHES = namedEnum("EidMatch", "How an electronic identity is matched with a contact.", [
  "none",
  "name_and_birthdate",
  "identifier",
]);

/** How a first approval proves that the person is the contact: what in the ID token must be on file. */
export interface BindingRule {
  match: (typeof BINDING_MATCHES)[number];
  /** The contact's attribute with the date of birth. */
  birthdateAttribute: string;
  /** The claim that must equal what is on file. */
  identifierClaim: string | null;
  /** The contact's attribute with the identifier. Null: the contact's externalId. */
  identifierAttribute: string | null;
}

/** What is on file about a contact. Attributes and externalIds come from integrations and members, never from visitors. */
interface OnFile {
  externalId: string | null;
  name: string | null;
  attributes: object;
}
/** Whether the claims are on file. A function, so that the claims themselves go nowhere. */
export type MatchesFile = (contact: OnFile, language: string) => boolean;

export function matcherOf(rule: BindingRule, claims: object): MatchesFile {
  const { match, birthdateAttribute, identifierClaim, identifierAttribute } = rule;
  if (match === "identifier") {
    const claimed = identifierClaim === null ? null : textIn(claims, identifierClaim);
    return ({ externalId, attributes }) =>
      claimed !== null &&
      claimed === (identifierAttribute === null ? trimmed(externalId) : textIn(attributes, identifierAttribute));
  }
  if (match === "name_and_birthdate") {
    const [name, birthdate] = [nameIn(claims), birthdateIn(claims)];
    return (contact, language) =>
      name !== null &&
      birthdate !== null &&
      contact.name !== null &&
      sameName(name, contact.name) &&
      readDate(normaliseText(textIn(contact.attributes, birthdateAttribute) ?? ""), language) === birthdate;
  }
  return () => false;
}

function textIn(values: object, name: string): string | null {
  const value: unknown = Object.hasOwn(values, name) ? (values as Record<string, unknown>)[name] : undefined;
  return trimmed(typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value);
}
const trimmed = (value: unknown): string | null =>
  typeof value === "string" ? value.normalize("NFKC").trim() || null : null;

function nameIn(claims: object): string | null {
  const [given, family] = [textIn(claims, "given_name"), textIn(claims, "family_name")];
  return given !== null && family !== null ? `${given} ${family}` : textIn(claims, "name");
}

/** A whole date. OpenID Connect also allows a year alone, and 0000 for an unknown year. */
function birthdateIn(claims: object): string | null {
  const text = textIn(claims, "birthdate");
  return text !== null && /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text) && readDate(text, "en") === text ? text : null;
}

/**
 * The same words in any order: first name last, with a comma, with a hyphen. A name with one more or one less is another
 * one, and so is a single word.
 */
function sameName(one: string, other: string): boolean {
  const spellings = spellingsOf(other);
  return spellingsOf(one).some((spelling) => spelling.includes(" ") && spellings.includes(spelling));
}
const spellingsOf = (name: string): string[] =>
  [normaliseText(name), normaliseText(transcribe(name))].map((text) =>
    text
      .split(/[\s\p{P}]+/u)
      .map(lettersAndDigits)
      .filter(Boolean)
      .sort()
      .join(" "),
  );
