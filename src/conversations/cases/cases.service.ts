import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import { In } from "typeorm";
import { v7 as uuid } from "uuid";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import { ContactsService } from "../../contacts/contacts.service.js";
import { Database } from "../../platform/database/database.js";
import { inTurns } from "../../platform/database/turns.js";
import type { Tx } from "../../platform/database/transaction.js";
import { ARCHIVED, ERASED, notFound } from "../../platform/http/errors.js";
import type { Json, Page } from "../../platform/http/json.js";
import type { PagingDto } from "../../platform/http/paging.dto.js";
import { WorkspaceEntity } from "../../workspaces/workspace.entity.js";
import {
  CaseConversationEntity,
  CaseEntity,
  type CaseEventType,
  type CaseStatus,
  CaseTypeEntity,
} from "./case.entity.js";
import { changeFields } from "./case-fields.js";
import type { CaseDto, CaseEventDto, CreateCaseDto, ListCasesDto, UpdateCaseDto } from "./cases.dto.js";
import {
  type CaseState,
  FIND_ASSIGNEE,
  GET_CASE,
  LIST_EVENTS,
  listStatement,
  LOCK,
  LOCK_CONVERSATIONS,
  NEXT_NUMBER,
  RECORD,
  RELEASE,
  SEARCH_CASES,
} from "./cases.queries.js";

/** The statuses that may follow each status. A resolved case can be reopened, but never submitted again. */
const TRANSITIONS: Record<CaseStatus, readonly CaseStatus[]> = {
  submitted: ["in_progress", "waiting_on_customer", "resolved"],
  in_progress: ["waiting_on_customer", "resolved"],
  waiting_on_customer: ["in_progress", "resolved"],
  resolved: ["in_progress"],
};

interface Event {
  type: CaseEventType;
  from: unknown;
  to: unknown;
}

@Injectable()
export class CasesService {
  private readonly inTurn = inTurns();

  constructor(
    private readonly db: Database,
    private readonly contacts: ContactsService,
  ) {}

  /** Newest first. */
  list(caller: Caller, { limit = 25, cursor, q, ...filters }: ListCasesDto): Promise<Json<Page<CaseDto>>> {
    if (q !== undefined)
      return this.inTurn(() => this.db.page(caller, SEARCH_CASES, { q, ...filters }, { limit, cursor }));
    return this.db.page(caller, listStatement(filters, cursor !== undefined), filters, { limit, cursor });
  }

  get(caller: Caller, id: string): Promise<Json<CaseDto>> {
    return this.db.read(caller, GET_CASE, { id });
  }

  events(caller: Caller, id: string, { limit = 25, cursor }: PagingDto): Promise<Json<Page<CaseEventDto>>> {
    return this.db.page(caller, LIST_EVENTS, { id }, { limit, cursor });
  }

  /**
   * @throws NotFoundException (something that the body names), BadRequestException (the fields), ConflictException (the
   *   workspace is archived, the contact was erased, or the assignee cannot work there)
   */
  create(
    caller: Caller,
    {
      workspaceId,
      title,
      typeId = null,
      priority = "none",
      contactId = null,
      assigneeId = null,
      conversationIds = [],
      fields = {},
      dueAt = null,
    }: CreateCaseDto,
  ): Promise<Json<CaseDto>> {
    return this.db.transaction(caller, async (tx) => {
      const workspace = await tx.findOrThrow(WorkspaceEntity, { id: workspaceId });
      tx.changesWorkspace(workspaceId);
      if (workspace.status === "archived") throw new ConflictException(ARCHIVED);
      const definitions =
        typeId === null ? [] : (await tx.findOrThrow(CaseTypeEntity, { id: typeId }, { field: "typeId" })).fields;
      const values = {
        title,
        typeId,
        priority,
        contactId,
        assigneeId,
        fields: changeFields(definitions, {}, fields),
        dueAt: instant(dueAt),
      };
      await this.assertThere(tx, workspaceId, { contactId, assigneeId, linked: conversationIds });
      const id = uuid();
      // Do this last, because other new cases of the workspace have to wait for it.
      const [next] = await tx.query(NEXT_NUMBER, { workspaceId });
      await tx.insert(CaseEntity, {
        ...values,
        id,
        workspaceId,
        number: next!.number,
        dueAt: dueAt === null ? null : new Date(dueAt),
      });
      await this.link(tx, id, conversationIds);
      await this.record(tx, id, [{ type: "created", from: null, to: null }, ...conversationIds.map(linked)]);
      return (await tx.read(GET_CASE, { id })).created();
    });
  }

  /** @throws as `create`, and ConflictException: the status may not follow the current one */
  update(caller: Caller, id: string, { conversationIds, fields, ...given }: UpdateCaseDto): Promise<Json<CaseDto>> {
    return this.db.transaction(caller, async (tx) => {
      const [locked] = await tx.query(LOCK, { id });
      if (!locked) throw notFound();
      const { workspaceId, archived, definitions, ...before } = locked;
      tx.changesWorkspace(workspaceId);
      if (archived) throw new ConflictException(ARCHIVED);
      const after: CaseState = { ...before, ...defined(given) };
      if (given.dueAt !== undefined) after.dueAt = instant(given.dueAt);
      if (fields) after.fields = changeFields(definitions, before.fields, fields);
      if (after.status !== before.status && !TRANSITIONS[before.status].includes(after.status))
        throw new ConflictException(`A case does not go from ${before.status} to ${after.status}`);
      const links = await this.links(tx, id, conversationIds);
      await this.assertThere(tx, workspaceId, {
        contactId: after.contactId === before.contactId ? null : after.contactId,
        assigneeId: after.assigneeId === before.assigneeId ? null : after.assigneeId,
        linked: links.linked,
      });
      const events = [...changes(before, after), ...links.linked.map(linked), ...links.unlinked.map(unlinked)];
      if (events.length) {
        const dueAt = after.dueAt === null ? null : new Date(after.dueAt);
        await tx.update(CaseEntity, { id }, { ...after, dueAt, updatedAt: () => "clock_timestamp()" });
        if (links.unlinked.length)
          await tx.delete(CaseConversationEntity, { caseId: id, conversationId: In(links.unlinked) });
        await this.link(tx, id, links.linked);
        await this.record(tx, id, events);
      }
      return tx.read(GET_CASE, { id });
    });
  }

  private async link(tx: Tx, caseId: string, conversationIds: readonly string[]): Promise<void> {
    if (conversationIds.length)
      await tx.insert(
        CaseConversationEntity,
        conversationIds.map((conversationId) => ({ caseId, conversationId })),
      );
  }

  /** What to link and unlink to get these conversations. Lock the case first. */
  private async links(
    tx: Tx,
    id: string,
    wanted?: readonly string[],
  ): Promise<{ linked: string[]; unlinked: string[] }> {
    if (!wanted) return { linked: [], unlinked: [] };
    const present = (await tx.find(CaseConversationEntity, { caseId: id })).map((row) => row.conversationId);
    return {
      linked: wanted.filter((one) => !present.includes(one)),
      unlinked: present.filter((one) => !wanted.includes(one)),
    };
  }

  private async assertThere(
    tx: Tx,
    workspaceId: string,
    {
      contactId,
      assigneeId,
      linked,
    }: { contactId: string | null; assigneeId: string | null; linked: readonly string[] },
  ): Promise<void> {
    if (linked.length) {
      const found = await tx.query(LOCK_CONVERSATIONS, { workspaceId, linked });
      if (found.length !== linked.length) throw notFound("conversation");
      if (found.some(({ erased }) => erased)) throw new ConflictException(ERASED);
    }
    if (contactId) await this.contacts.assertVisible(tx, contactId, "contactId");
    if (assigneeId) {
      const [member] = await tx.query(FIND_ASSIGNEE, { workspaceId, assigneeId });
      if (!member) throw notFound("assigneeId");
      if (!member.works)
        throw new ConflictException(
          "The assignee only reads: an owner, an admin or an agent of the workspace can have a case",
        );
    }
  }

  private async record(tx: Tx, id: string, events: readonly Event[]): Promise<void> {
    await tx.query(RECORD, {
      id,
      kind: tx.caller.kind,
      actorId: callerId(tx.caller),
      events: JSON.stringify(events.map((event) => ({ id: uuid(), ...event }))),
    });
  }

  /** Removes a member who has left from up to `batch` unresolved cases. @returns how many */
  async release(tx: Tx, memberId: string, batch: number): Promise<number> {
    return (await tx.query(RELEASE, { memberId, batch })).length;
  }
}

const linked = (id: string): Event => ({ type: "conversation_linked", from: null, to: id });
const unlinked = (id: string): Event => ({ type: "conversation_unlinked", from: id, to: null });

const defined = <T extends object>(given: T): Partial<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>;

/** A time in the API's format. */
function instant(value: string | null): string | null {
  if (value === null) return null;
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) throw new BadRequestException("dueAt must be a valid date");
  return time.toISOString();
}

const EVENT_OF = {
  status: "status",
  priority: "priority",
  assigneeId: "assignee",
  title: "title",
  dueAt: "due",
  contactId: "contact",
} as const satisfies Partial<Record<keyof CaseState, CaseEventType>>;

function changes(before: CaseState, after: CaseState): Event[] {
  const events: Event[] = (Object.keys(EVENT_OF) as (keyof typeof EVENT_OF)[])
    .filter((name) => before[name] !== after[name])
    .map((name) => ({ type: EVENT_OF[name], from: before[name], to: after[name] }));
  const keys = [...new Set([...Object.keys(before.fields), ...Object.keys(after.fields)])]
    .filter((key) => before.fields[key] !== after.fields[key])
    .sort();
  return keys.length ? [...events, { type: "fields", from: null, to: keys }] : events;
}
