import { Injectable } from "@nestjs/common";
import { type Sql, sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import { FairShare } from "../../platform/jobs/fair-share.js";
import { OutboundClient, OutboundError } from "../../platform/outbound/outbound.client.js";
import { lookUp } from "../lookup/lookup-tool.js";
import type { Source } from "../settings/verification-sources.service.js";

/** What is on file about a contact. */
export interface Person {
  id: string;
  externalId: string | null;
  name: string | null;
  emails: string[];
  phones: string[];
  attributes: Record<string, unknown>;
}

const points = (kind: Sql): Sql => sql`
  array(
    select p.value
    from contact_point p
    where p.tenant_id = ${TENANT} and p.contact_id = c.id and p.kind = ${kind}
    order by p.position
  )`;
const FIND_PERSON = query<{ contactId: string }, Person>()(
  "expectedAnswers.findPerson",
  "checked",
  ({ contactId }) => sql`
    select c.id, c.external_id as "externalId", c.name, ${points(sql`'email'`)} as emails,
      ${points(sql`'phone'`)} as phones, c.attributes
    from contact c
    where c.tenant_id = ${TENANT} and c.id = ${contactId}`,
);

/** Look-ups that this process has open at once, over all tenants. */
const MAX_LOOK_UPS = 100;
/** How long a look-up waits for its turn. */
const MAX_WAIT_MS = 10_000;

/** Finds the right answers to a question: from the contact itself, or from the customer's look-up tool. */
@Injectable()
export class ExpectedAnswers {
  private readonly lookUps = new FairShare(MAX_LOOK_UPS);

  constructor(private readonly outbound: OutboundClient) {}

  /** @throws NotFoundException */
  async person(tx: Tx, contactId: string): Promise<Person> {
    const [person] = await tx.query(FIND_PERSON, { contactId });
    if (!person) throw notFound();
    return person;
  }

  /**
   * Every answer that counts as right. Empty if nothing is on file.
   * @throws OutboundError if the tool cannot be called
   */
  async answers(
    tenantId: string,
    source: Source,
    key: string,
    person: Person,
  ): Promise<{ answers: string[]; lookedUp: boolean }> {
    const question = source.questions.find((one) => one.key === key);
    if (source.type === "contact_attributes")
      return { answers: question ? attribute(person, question.attribute!) : [], lookedUp: false };
    const questions = question ? [{ key, path: question.path! }] : [];
    const { attributes: _, ...contact } = person;
    const tool = { name: source.name, url: source.url!, authorization: source.authorization, questions };
    const signal = AbortSignal.timeout(MAX_WAIT_MS);
    const found = await this.lookUps
      .run(tenantId, () => lookUp(this.outbound, tool, contact), { signal })
      .catch((error: unknown) => {
        throw error === signal.reason ? new OutboundError("Too many look-ups are in progress") : (error as Error);
      });
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
