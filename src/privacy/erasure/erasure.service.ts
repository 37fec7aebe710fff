import { Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { recordAuditEntry, suspendRowAudit } from "../../audit/audit-entries.js";
import { SecurityLogService } from "../../auth/security-log/security-log.service.js";
import { ContactsErased, ContactsLocking } from "../../contacts/contact-events.js";
import { contactInReach } from "../../contacts/contact-reach.js";
import { ContactsService } from "../../contacts/contacts.service.js";
import { ErasedContactEntity } from "../../contacts/erased-contact.entity.js";
import { addErased, type Erased, nothingErased } from "../../contacts/erased.js";
import { AttachmentCleanupService } from "../../conversations/attachments/attachment-cleanup.service.js";
import { ConversationsPersonalData } from "../../conversations/conversations.personal-data.js";
import { type Caller, callerId, type SystemCaller } from "../../platform/caller/caller.js";
import { forgetAnswers } from "../../platform/database/stored-answers.js";
import { Database } from "../../platform/database/database.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { one, polled, projection, query, time } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { driverError } from "../../platform/http/errors.js";
import type { Json } from "../../platform/http/json.js";
import { OutboxService } from "../../platform/outbox/outbox.service.js";
import { SigningKeysService } from "../../workspaces/tenants/signing-keys.service.js";
import { type Certificate, digestOf, type Statement } from "./certificate.js";
import type { ErasureDto } from "./erasure.dto.js";
import { ErasureRequestEntity } from "./erasure.entity.js";
import { ErasureJournal } from "./erasure-journal.js";

/** Tombstones per transaction of a reconciliation. */
const BATCH = 200;

const GET = polled(
  one<ErasureDto, { id: string; self: string | null }>(
    "erasures.get",
    "restricted",
    ({ id, self }) => sql`
      select ${projection<ErasureDto>({
        id: sql`e.id`,
        contactId: sql`e.contact_id`,
        status: sql`'completed'`,
        erased: sql`e.certificate -> 'erased'`,
        completedAt: sql`e.certificate ->> 'completedAt'`,
        certificate: sql`e.certificate`,
      })}
      from erasure_request e join contact r on r.tenant_id = e.tenant_id and r.id = e.contact_id
      where e.tenant_id = ${TENANT} and e.id = ${id} and ${contactInReach("r", self)}`,
  ),
);

const NOW = query<object, { completedAt: string }>()(
  "erasures.now",
  { unrestricted: "it reads the clock" },
  () => sql`select ${time(sql`clock_timestamp()`)} as "completedAt" from tenant t where t.id = ${TENANT}`,
);

/** Stored answers live for a day, so there are none for older tombstones. */
const FIND_TOMBSTONES = query<{ after: string | null; limit: number }, Tombstone>()(
  "erasures.findTombstones",
  { unrestricted: "only the reconciliation runs it" },
  ({ after, limit }) => sql`
    select e.id, e.erased_at::text as "erasedAt", e.erased_at > now() - interval '26 hours' as recent
    from erased_contact e
    where e.tenant_id = ${TENANT} and (${after}::uuid is null or e.id > ${after})
    order by e.id limit ${limit}`,
);

const FIND_BACK = query<{ contactIds: readonly string[] }>()(
  "erasures.findBack",
  { unrestricted: "only the command line asks" },
  ({ contactIds }) => sql`
    select c.id from contact c
    where c.tenant_id = ${TENANT} and c.id = any(${contactIds}::uuid[])
      and not exists (select from erased_contact e where e.tenant_id = ${TENANT} and e.id = c.id)
    order by c.id`,
);

const FIND_CERTIFICATES = query<
  { period: string; after: string | null; limit: number },
  { id: string; certificate: Certificate }
>()(
  "erasures.findCertificates",
  { unrestricted: "only the command line and the daily run call it" },
  ({ period, after, limit }) => sql`
    select e.id, e.certificate from erasure_request e
    where e.tenant_id = ${TENANT} and e.certificate is not null and e.created_at > now() - ${period}::interval
      and (${after}::uuid is null or e.id > ${after})
    order by e.id limit ${limit}`,
);

@Injectable()
export class ErasureService {
  constructor(
    private readonly db: Database,
    private readonly events: DomainEvents,
    private readonly contacts: ContactsService,
    private readonly conversations: ConversationsPersonalData,
    private readonly outbox: OutboxService,
    private readonly keys: SigningKeysService,
    private readonly upkeep: AttachmentCleanupService,
    private readonly security: SecurityLogService,
    private readonly journal: ErasureJournal,
  ) {}

  get(caller: Caller, id: string): Promise<Json<ErasureDto>> {
    return this.db.read(caller, GET, { id, self: callerId(caller) });
  }

  /**
   * Erases the person completely or not at all, in one transaction. If several requests come, at the same time or
   * later, one transaction erases and all answers have its certificate.
   * @throws NotFoundException, ConflictException: the person appears in workspaces out of the caller's reach
   */
  async erase(caller: Caller, contactId: string): Promise<Json<ErasureDto>> {
    try {
      const answer = await this.db.transaction(caller, async (tx) => {
        const contactIds = await this.hold(tx, contactId);
        const before = await tx.findOne(ErasedContactEntity, { id: contactId });
        if (!before) await this.contacts.assertNowhereElse(tx, contactIds);
        const id = before?.erasureId ?? (await this.carryOut(tx, contactIds));
        return tx.read(GET, { id, self: callerId(caller) });
      });
      // Before the answer, as the files below: whoever has an answer is not back after a restoration.
      await this.journal.keep(answer.parse().certificate);
      return answer;
    } finally {
      // Files can only be removed after their rows. They are removed before every answer, including the answer to a
      // repeated request.
      await this.upkeep.removeFiles(caller.tenantId);
    }
  }

  /**
   * Erases again whom a certificate names, where a restored backup has them back. The certificate stays as it was given out.
   * @returns whether somebody was back
   */
  async replay(caller: SystemCaller, certificate: Certificate): Promise<boolean> {
    const isBack = await this.db.transaction(caller, async (tx) => {
      const back = new Set<string>();
      // With those that they are merged with by now.
      for (const { id } of await tx.query(FIND_BACK, { contactIds: certificate.contactIds }))
        for (const one of await this.hold(tx, id)) back.add(one);
      if (!back.size) return false;
      await suspendRowAudit(tx);
      const contactIds = [...back];
      const { erasureId: id } = certificate;
      await tx.insertOrIgnore(ErasureRequestEntity, { id, contactId: contactIds[0]!, certificate });
      await this.bury(tx, id, contactIds);
      const { conversationIds, removedIds } = await this.remove(tx, contactIds);
      await forgetAnswers(tx, [...contactIds, ...conversationIds, ...removedIds]);
      return true;
    });
    await this.upkeep.removeFiles(caller.tenantId);
    return isBack;
  }

  /** Whom a certificate names, and who is there all the same. */
  async back(caller: SystemCaller, { contactIds }: Certificate): Promise<string[]> {
    return this.db.transaction(caller, async (tx) => (await tx.query(FIND_BACK, { contactIds })).map(({ id }) => id));
  }

  /**
   * Notes in the journal what it lacks: a process may end between an erasure and its note.
   * @param period how far back, as a PostgreSQL interval
   */
  async completeJournal(caller: SystemCaller, period: string): Promise<void> {
    for (let after: string | null = null; ;) {
      const batch: { id: string; certificate: Certificate }[] = await this.db.transaction(caller, (tx) =>
        tx.query(FIND_CERTIFICATES, { period, after, limit: BATCH }),
      );
      for (const { id, certificate } of batch) if (!(await this.journal.has(id))) await this.journal.keep(certificate);
      if (batch.length < BATCH) return;
      after = batch.at(-1)!.id;
    }
  }

  /**
   * Waits for transactions that write data about the person. Later transactions wait for this one and then find the
   * person erased.
   */
  private async hold(tx: Tx, contactId: string): Promise<string[]> {
    let ids = await this.contacts.personOf(tx, contactId);
    // Until the locks are held, another contact may be merged into this one.
    for (let held = 0; held < ids.length; ids = await this.contacts.personOf(tx, contactId)) {
      held = ids.length;
      await this.lock(tx, ids);
    }
    return ids;
  }

  private async carryOut(tx: Tx, contactIds: string[]): Promise<string> {
    const id = uuid();
    await suspendRowAudit(tx);
    await tx.insert(ErasureRequestEntity, { id, contactId: contactIds[0]! });
    await this.bury(tx, id, contactIds);
    const { erased, conversationIds, removedIds } = await this.remove(tx, contactIds);
    Object.assign(erased, await forgetAnswers(tx, [...contactIds, ...conversationIds, ...removedIds]));
    const [{ completedAt }] = (await tx.query(NOW)) as [{ completedAt: string }];
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
    await tx.update(ErasureRequestEntity, { id }, { certificate });
    for (const resourceId of contactIds)
      await recordAuditEntry(tx, {
        change: "deleted",
        resourceType: "contact",
        resourceId,
        counts: resourceId === contactIds[0] ? erased : undefined,
      });
    await this.security.record(tx, { type: "data_erased", detail: { erasureId: id, contactIds } });
    return id;
  }

  private async bury(tx: Tx, erasureId: string, contactIds: readonly string[]): Promise<void> {
    await tx.insert(
      ErasedContactEntity,
      contactIds.map((id) => ({ id, erasureId })),
    );
  }

  private async lock(tx: Tx, contactIds: readonly string[]): Promise<void> {
    await this.events.publish(tx, new ContactsLocking(contactIds));
    await this.contacts.hold(tx, contactIds);
  }

  /**
   * Each feature removes its own data. The conversations and contacts come last, because the other features use them
   * for look-ups.
   */
  private async remove(tx: Tx, contactIds: readonly string[]): Promise<ContactsErased> {
    const conversationIds = await this.conversations.idsOf(tx, contactIds);
    const erasure = new ContactsErased(contactIds, conversationIds);
    await this.events.publish(tx, erasure);
    const addresses = await this.contacts.addressesOf(tx, contactIds);
    try {
      Object.assign(
        erasure.erased,
        await this.outbox.erase(tx, addresses, conversationIds),
        await this.conversations.erase(tx, contactIds),
        await this.contacts.eraseContact(tx, contactIds),
      );
    } catch (error) {
      // The checks of erased rows refuse what others add, with 409. Here they say that a statement leaves data behind.
      // PostgreSQL's error is not passed on, because its detail contains the row.
      const { code, constraint } = driverError(error) ?? {};
      if (code !== "23514" || !constraint?.endsWith("_erased")) throw error;
      throw new Error(`the erasure leaves data behind: ${constraint}`);
    }
    return erasure;
  }

  /** Goes through the tombstones of one side and erases again what a crash or a restored backup has left behind. */
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
    const batch = await tx.query(FIND_TOMBSTONES, { after, limit: BATCH });
    const ids = batch.map(({ id }) => id);
    await this.lock(tx, ids);
    const { erased, removedIds } = await this.remove(tx, ids);
    // Answers from after an erasure contain no erased data, so they stay.
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
