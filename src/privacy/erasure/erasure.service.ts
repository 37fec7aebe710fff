import { Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { note, sumUp } from "../../audit/note.js";
import { ContactsErased, ContactsLocking } from "../../contacts/contact-events.js";
import { CONTACT_IN_REACH } from "../../contacts/contacts.queries.js";
import { ContactsService } from "../../contacts/contacts.service.js";
import { addErased, type Erased, nothingErased } from "../../contacts/erased.js";
import { AttachmentCleanup } from "../../conversations/attachments/attachment-cleanup.service.js";
import { ConversationsPersonalData } from "../../conversations/conversations.personal-data.js";
import { type Caller, callerId, type SystemCaller } from "../../platform/caller/caller.js";
import { forgetAnswers } from "../../platform/database/answers.js";
import { Database } from "../../platform/database/database.js";
import { one, polled, projection, time } from "../../platform/database/statement.js";
import type { Tx } from "../../platform/database/transaction.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import type { Json } from "../../platform/http/json.js";
import { Outbox } from "../../platform/outbox/outbox.service.js";
import { SigningKeysService } from "../../workspaces/tenants/signing-keys.service.js";
import { type Certificate, digestOf, type Statement } from "./certificate.js";
import type { ErasureDto } from "./erasure.dto.js";

/** Tombstones looked after in one transaction. */
const BATCH = 200;

const GET = polled(
  one<ErasureDto, { id: string; self: string | null }>(
    "erasures.get",
    "workspace",
    `select ${projection<ErasureDto>({
      id: "e.id",
      contactId: "e.contact_id",
      status: `'completed'`,
      erased: `e.certificate -> 'erased'`,
      completedAt: `e.certificate ->> 'completedAt'`,
      certificate: "e.certificate",
    })} from erasure_request e join contact r on r.tenant_id = e.tenant_id and r.id = e.contact_id
  where e.tenant_id = :tenant and e.id = :id and ${CONTACT_IN_REACH}`,
  ),
);

@Injectable()
export class ErasureService {
  constructor(
    private readonly db: Database,
    private readonly events: DomainEvents,
    private readonly contacts: ContactsService,
    private readonly conversations: ConversationsPersonalData,
    private readonly outbox: Outbox,
    private readonly keys: SigningKeysService,
    private readonly upkeep: AttachmentCleanup,
  ) {}

  get(caller: Caller, id: string): Promise<Json<ErasureDto>> {
    return this.db.read(caller, GET, { id, self: callerId(caller) });
  }

  /** Whole or not at all, in one transaction; of any number at once, and of any repeated later, one erases and all get its certificate. */
  async erase(caller: Caller, contactId: string): Promise<Json<ErasureDto>> {
    try {
      return await this.db.transaction(caller, async (tx) => {
        const contactIds = await this.hold(tx, contactId);
        const [before] = await tx.query<{ erasureId: string }>(
          'select erasure_id as "erasureId" from erased_contact where tenant_id = :tenant and id = :contactId',
          { contactId },
        );
        const id = before?.erasureId ?? (await this.carryOut(tx, contactIds));
        return tx.read(GET, { id, self: callerId(caller) });
      });
    } finally {
      // Files cannot go with the rows, only after them; whatever is answered, also to a repeat, they are gone by then.
      await this.upkeep.removeFiles(caller.tenantId);
    }
  }

  /** Whoever is writing something of the person is waited for; whoever comes later waits, and then finds them erased. */
  private async hold(tx: Tx, contactId: string): Promise<string[]> {
    let ids = await this.contacts.personOf(tx, contactId);
    // Until it is held, another contact may be merged into it.
    for (let held = 0; held < ids.length; ids = await this.contacts.personOf(tx, contactId)) {
      held = ids.length;
      await this.lock(tx, ids);
    }
    return ids;
  }

  private async carryOut(tx: Tx, contactIds: string[]): Promise<string> {
    const id = uuid();
    await sumUp(tx);
    await tx.query("insert into erasure_request (tenant_id, id, contact_id) values (:tenant, :id, :contactId)", {
      id,
      contactId: contactIds[0],
    });
    await tx.query(
      "insert into erased_contact (tenant_id, id, erasure_id) select :tenant, c, :id from unnest(:contactIds::uuid[]) as c",
      { id, contactIds },
    );
    const { erased, conversationIds, removedIds } = await this.remove(tx, contactIds);
    Object.assign(erased, await forgetAnswers(tx, [...contactIds, ...conversationIds, ...removedIds]));
    const [{ completedAt }] = (await tx.query<{ completedAt: string }>(
      `select ${time("clock_timestamp()")} as "completedAt"`,
    )) as [{ completedAt: string }];
    const statement: Statement = {
      version: 1,
      erasureId: id,
      tenantId: tx.caller.tenantId,
      contactIds,
      erased,
      completedAt,
    };
    const digest = digestOf(statement);
    const certificate: Certificate = {
      ...statement,
      digest: digest.toString("hex"),
      signature: (await this.keys.sign(tx, digest)).toString("base64"),
    };
    await tx.query(
      "update erasure_request set certificate = :certificate::jsonb where tenant_id = :tenant and id = :id",
      { id, certificate: JSON.stringify(certificate) },
    );
    for (const resourceId of contactIds)
      await note(tx, {
        change: "deleted",
        resourceType: "contact",
        resourceId,
        counts: resourceId === contactIds[0] ? erased : undefined,
      });
    return id;
  }

  private async lock(tx: Tx, contactIds: readonly string[]): Promise<void> {
    await this.events.publish(tx, new ContactsLocking(contactIds));
    await this.contacts.hold(tx, contactIds);
  }

  /** Each feature removes its own. The conversations and the contacts come last, because the others find by them. */
  private async remove(tx: Tx, contactIds: readonly string[]): Promise<ContactsErased> {
    const conversationIds = await this.conversations.idsOf(tx, contactIds);
    const erasure = new ContactsErased(contactIds, conversationIds);
    await this.events.publish(tx, erasure);
    const addresses = await this.contacts.addressesOf(tx, contactIds);
    Object.assign(
      erasure.erased,
      await this.outbox.erase(tx, addresses, conversationIds),
      await this.conversations.erase(tx, contactIds),
      await this.contacts.eraseContact(tx, contactIds),
    );
    return erasure;
  }

  /** Goes through one side's tombstones and erases again whatever a crash, or a backup that was restored, left of them. */
  async reconcile(caller: SystemCaller): Promise<Erased> {
    const total = nothingErased();
    for (let after: string | null = null; ;) {
      const { batch, erased }: Reconciled = await this.db.transaction(caller, (tx) => this.reconcileBatch(tx, after));
      addErased(total, erased);
      if (batch.length < BATCH) return total;
      after = batch.at(-1)!.id;
    }
  }

  private async reconcileBatch(tx: Tx, after: string | null): Promise<Reconciled> {
    // Answers to retries live for a day: older tombstones have none to look for.
    const batch = await tx.query<Tombstone>(
      `select id, erased_at::text as "erasedAt", erased_at > now() - interval '26 hours' as recent from erased_contact
      where tenant_id = :tenant and (:after::uuid is null or id > :after) order by id limit :batch`,
      { after, batch: BATCH },
    );
    const ids = batch.map(({ id }) => id);
    await this.lock(tx, ids);
    const { erased, removedIds } = await this.remove(tx, ids);
    // What was answered after an erasure was answered with what is left of the person, and stays.
    for (const { id, erasedAt } of batch.filter(({ recent }) => recent)) {
      const names = [id, ...(await this.conversations.idsOf(tx, [id]))];
      erased.storedAnswers += (await forgetAnswers(tx, names, erasedAt)).storedAnswers;
    }
    if (removedIds.length) erased.storedAnswers += (await forgetAnswers(tx, removedIds)).storedAnswers;
    return { batch, erased };
  }
}

interface Tombstone {
  id: string;
  erasedAt: string;
  recent: boolean;
}
interface Reconciled {
  batch: Tombstone[];
  erased: Erased;
}
