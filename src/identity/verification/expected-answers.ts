import { Injectable } from "@nestjs/common";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import { OutboundClient } from "../../platform/outbound/outbound.client.js";
import { lookUp } from "../lookup/lookup-tool.js";
import type { Source } from "../settings/verification-sources.service.js";

/** The contact, as far as sources know people by it. */
export interface Person {
  id: string;
  externalId: string | null;
  name: string | null;
  emails: string[];
  phones: string[];
  attributes: Record<string, unknown>;
}

/** What the right answers are: from the contact itself, or from a tool of the customer's. */
@Injectable()
export class Expected {
  constructor(private readonly outbound: OutboundClient) {}

  async person(tx: Tx, contactId: string): Promise<Person> {
    const points = (kind: string): string =>
      `array(select p.value from contact_point p where p.tenant_id = c.tenant_id and p.contact_id = c.id and p.kind = '${kind}' order by p.position)`;
    const [person] = await tx.query<Person>(
      `select c.id, c.external_id as "externalId", c.name, ${points("email")} as emails, ${points("phone")} as phones, c.attributes
      from contact c where c.tenant_id = :tenant and c.id = :contactId`,
      { contactId },
    );
    if (!person) throw notFound();
    return person;
  }

  /**
   * Whatever counts as right; nothing where nothing is on file.
   * @throws OutboundError: the tool cannot be asked
   */
  async answers(source: Source, key: string, person: Person): Promise<{ answers: string[]; lookedUp: boolean }> {
    const question = source.questions.find((one) => one.key === key);
    if (source.type === "contact_attributes")
      return { answers: question ? attribute(person, question.attribute!) : [], lookedUp: false };
    const questions = question ? [{ key, path: question.path! }] : [];
    const { attributes: _, ...contact } = person;
    const found = await lookUp(
      this.outbound,
      { name: source.name, url: source.url!, authorization: source.authorization, questions },
      contact,
    );
    return { answers: [...found.values()].filter((value) => value !== null), lookedUp: true };
  }
}

function attribute(person: Person, name: string): string[] {
  switch (name) {
    case "name":
      return person.name === null ? [] : [person.name];
    case "email":
      return person.emails;
    case "phone":
      return person.phones;
    default: {
      const value = Object.hasOwn(person.attributes, name) ? person.attributes[name] : undefined;
      return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
    }
  }
}
