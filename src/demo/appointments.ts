import fs from "node:fs/promises";
import type { INestApplicationContext } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { GET_BOUND } from "../assistant/tools/tool-calls.queries.js";
import { PendingActionDueEntity, PendingActionEntity } from "../assistant/tools/tool.entity.js";
import { ToolGate } from "../assistant/tools/tool-gate.js";
import { BookingEntity, type BookingStatus } from "../calendar/booking.entity.js";
import { CalendarConnectionEntity, CalendarEntity } from "../calendar/calendar.entity.js";
import { raise } from "../conversations/attention/raise.js";
import { ConversationEntity } from "../conversations/conversation.entity.js";
import { system } from "../platform/caller/caller.js";
import { ROOT } from "../platform/config/root.js";
import { Database } from "../platform/database/database.js";
import type { Tx } from "../platform/database/transaction.js";
import type { ApiClient } from "../replay/client.js";
import { WorkspaceEntity } from "../workspaces/workspace.entity.js";

const TOOL = "propose_booking";
const DAY_MS = 86_400_000;
/** Somebody who tries the demo has time to look at the approval. */
const EXPIRES_AFTER_DAYS = 30;

interface Appointment {
  /** The external id of the conversation that it is about. */
  conversation: string;
  title: string;
  /** From today. */
  day: number;
  /** In UTC. */
  at: string;
  minutes: number;
  status?: BookingStatus;
}
interface Calendar {
  agent: { name: string; role: string; instructions: string; tools: string[] };
  calendar: { name: string; account: string };
  bookings: Appointment[];
  approval: Appointment;
}
type Conversations = ReadonlyMap<string | null, ConversationEntity>;

/**
 * A calendar with the appointments of a week, and one that an agent proposes and a person has to approve. No server has the
 * calendar, so it is never synced. What an interrupted start has left is completed.
 */
export async function makeAppointments(
  app: INestApplicationContext,
  live: ApiClient,
  { tenantId, workspaceId }: { tenantId: string; workspaceId: string },
): Promise<void> {
  const { agent, calendar, bookings, approval } = JSON.parse(
    await fs.readFile(new URL("demo/calendar.json", ROOT), "utf8"),
  ) as Calendar;
  const { body: agents } = await live.get<{ id: string; name: string }[]>("/api/agents");
  const { id: agentId } =
    agents.find(({ name }) => name === agent.name) ??
    (await live.post<{ id: string }>("/api/agents", { ...agent, workspaceIds: [workspaceId] })).body;
  const demo = system("demo", tenantId, "live");
  const conversations: Conversations = await app.get(Database).transaction(demo, async (tx) => {
    const all = await tx.find(ConversationEntity, { workspaceId });
    return new Map(all.map((one) => [one.externalId, one]));
  });
  const asked = conversations.get(approval.conversation)!;
  if (asked.status === "resolved") await live.post(`/api/conversations/${asked.id}/reopen`, {});
  await app.get(Database).transaction(demo, async (tx) => {
    const [known] = await tx.find(CalendarConnectionEntity, { workspaceId }, { limit: 1 });
    if (known) return;
    const calendarId = await addCalendar(tx, workspaceId, calendar);
    for (const booking of bookings) await book(tx, { workspaceId, calendarId, conversations }, booking);
    await propose(tx, app.get(ToolGate), { agentId, calendarId, conversation: asked }, approval);
  });
}

async function addCalendar(tx: Tx, workspaceId: string, { name, account }: Calendar["calendar"]): Promise<string> {
  const [connectionId, id] = [uuid(), uuid()];
  const { timezone } = await tx.findOrThrow(WorkspaceEntity, { id: workspaceId });
  const serverUrl = "https://calendar.demo.example/";
  await tx.insert(CalendarConnectionEntity, {
    id: connectionId,
    workspaceId,
    provider: "caldav",
    serverUrl,
    accountEmail: account,
    lastSyncedAt: () => "now()",
  });
  await tx.insert(CalendarEntity, {
    id,
    workspaceId,
    connectionId,
    url: `${serverUrl}${id}/`,
    name,
    timezone,
    isPrimary: true,
  });
  return id;
}

async function book(
  tx: Tx,
  { workspaceId, calendarId, conversations }: { workspaceId: string; calendarId: string; conversations: Conversations },
  appointment: Appointment,
): Promise<void> {
  const { id, contactId } = conversations.get(appointment.conversation)!;
  const { startsAt, endsAt } = timesOf(appointment);
  const { title, status = "confirmed" } = appointment;
  await tx.insert(BookingEntity, {
    id: uuid(),
    workspaceId,
    calendarId,
    conversationId: id,
    contactId,
    title,
    startsAt,
    endsAt,
    status,
    written: 1,
  });
}

/** As if an agent had called the tool, and a policy wanted a person's approval. */
async function propose(
  tx: Tx,
  gate: ToolGate,
  { agentId, calendarId, conversation }: { agentId: string; calendarId: string; conversation: ConversationEntity },
  appointment: Appointment,
): Promise<void> {
  const { id: conversationId, workspaceId } = conversation;
  const { startsAt, endsAt } = timesOf(appointment);
  const { title } = appointment;
  const values = { calendarId, title, startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() };
  const [bound] = await tx.query(GET_BOUND, { conversationId, agentId, tool: TOOL, runId: null });
  const checked = gate.check(tx.caller.tenantId, TOOL, values, bound!);
  if (typeof checked === "string") throw new Error(`the demo's approval: ${checked}`);
  const { reason, policyEntryIds, requiredAssuranceLevel } = await gate.decide(tx, TOOL, checked, bound!, false, {});
  const id = uuid();
  const expiresAt = new Date(Date.now() + EXPIRES_AFTER_DAYS * DAY_MS);
  await tx.insert(PendingActionEntity, {
    id,
    workspaceId,
    conversationId,
    agentId,
    runId: uuid(),
    tool: TOOL,
    arguments: checked.arguments,
    argumentsHash: checked.hash,
    tainted: false,
    guardrail: reason,
    policyEntryIds,
    requiredAssuranceLevel,
    expiresAt,
  });
  await tx.insert(PendingActionDueEntity, { actionId: id, dueAt: expiresAt });
  await tx.update(ConversationEntity, { id: conversationId }, { pendingActionCount: 1 });
  await raise(tx, {
    conversationId,
    type: "approval_required",
    severity: "high",
    reason: `The assistant asks to use ${TOOL}: ${reason}`,
  });
}

function timesOf({ day, at, minutes }: Appointment): { startsAt: Date; endsAt: Date } {
  const date = new Date(Date.now() + day * DAY_MS).toISOString().slice(0, 10);
  const startsAt = new Date(`${date}T${at}:00.000Z`);
  return { startsAt, endsAt: new Date(startsAt.getTime() + minutes * 60_000) };
}
