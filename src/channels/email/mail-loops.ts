import { AttentionItemEntity } from "../../conversations/attention/attention-item.entity.js";
import { raise } from "../../conversations/attention/raise.js";
import type { MessageAuthentication } from "../../conversations/conversation.entity.js";
import type { Tx } from "../../platform/database/transaction.js";
import type { OpenChannel } from "../channel-kind.js";
import { FIND_ANSWERED_BY_PROGRAMS, FIND_FLOODED, FIND_FLOODED_BY_FORGERS } from "./incoming-mail.queries.js";
import type { Answered } from "./incoming-threads.js";
import { FIND_FLOODED_BY_PARTICIPANT } from "./incoming-people.queries.js";

/**
 * Mails from one sender through one channel. No person writes as many: beyond the limit two machines answer each other,
 * whatever the headers say.
 */
export const MAX_MAILS_PER_HOUR = 60;
/**
 * Answers to one sender that no person wrote. What comes in beyond them is for people: if a program writes at the other end, it gets
 * no further answer.
 */
const MAX_PROGRAM_ANSWERS_PER_HOUR = 10;
/** Of each conversation, so many messages are looked at for them. */
const NEWEST_MESSAGES = 500;

interface Writer extends Pick<MessageAuthentication, "result"> {
  address: string;
  thread: Answered | undefined;
}

/** @returns the newest conversation of a sender who writes more than a person does. Forgers count as one sender. */
export async function floodedIn(
  tx: Tx,
  { id: channelId, workspaceId }: OpenChannel,
  { address, result, thread }: Writer,
): Promise<string | undefined> {
  const limits = { address, proven: result === "pass", maxPerHour: MAX_MAILS_PER_HOUR };
  if (thread?.as) {
    const { conversationId } = thread;
    const found = await tx.query(FIND_FLOODED_BY_PARTICIPANT, { conversationId, ...limits });
    return found.length ? conversationId : undefined;
  }
  const [newest] =
    result === "fail"
      ? await tx.query(FIND_FLOODED_BY_FORGERS, { channelId, workspaceId, maxPerHour: MAX_MAILS_PER_HOUR })
      : await tx.query(FIND_FLOODED, { channelId, ...limits });
  return newest?.conversationId;
}

/** Nobody waits for an answer to these notes, so somebody is asked to look: once, until they have. */
export async function alertOfFlood(tx: Tx, conversationId: string): Promise<void> {
  const type = "channel_error";
  if (await tx.findOne(AttentionItemEntity, { conversationId, type, status: "open" })) return;
  const reason = `More than ${MAX_MAILS_PER_HOUR} mails within an hour: further ones are notes, and nobody is asked to answer them`;
  await raise(tx, { conversationId, type, severity: "medium", reason });
}

/** Whether programs have answered this sender more often than they may. */
export async function answeredTooOften(
  tx: Tx,
  { id: channelId, workspaceId }: OpenChannel,
  address: string,
): Promise<boolean> {
  const limits = { maxPerHour: MAX_PROGRAM_ANSWERS_PER_HOUR, newest: NEWEST_MESSAGES };
  return (await tx.query(FIND_ANSWERED_BY_PROGRAMS, { channelId, workspaceId, address, ...limits })).length > 0;
}
