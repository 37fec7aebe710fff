import { hash } from "node:crypto";
import type { Caller } from "../caller/caller.js";
import type { Question } from "../caller/request-context.js";
import type { Json } from "../http/json.js";
import type { Changes } from "./changes.js";
import type { PageRead, Read } from "./statements.js";

/** How long an answer is shared after it came, while nothing changes. Without this a crowd of a hundred pollers made nine queries. */
const SHARED_MS = 50;
/** How many different reads can be shared at once. */
const SLOTS = 256;
/** How many questions are kept. Pollers ask the same again, and a hash takes longer than a look-up. */
const MAX_QUESTIONS = 2_000;
/** Longer questions are hashed each time, so that strangers cannot fill the memory with them. */
const MAX_TEXT = 600;

/** A statement whose answer is JSON. */
export type AnyRead = Read<never, unknown> | PageRead<never, unknown>;

/** The ETags of reads, and one query for many callers that ask the same in the same moment. */
export class PolledAnswers {
  /**
   * Reads that run, and shared ones that have just ended. Two reads may fall on one slot; then the later one is shared.
   * Not a Map: V8 links the tables that a Map outgrows, so each one that has become old keeps the answers of the next.
   */
  private readonly shared = new Array<{ etag: string; answer: Promise<Json> } | undefined>(SLOTS).fill(undefined);

  private readonly questions = new Map<string, Question>();

  constructor(private readonly changes: Changes) {}

  /** @returns undefined for statements that show more than changes go with */
  question({ tenantId, reach }: Caller, { polled, name }: AnyRead, args: object): Question | undefined {
    if (!polled) return undefined;
    const text = JSON.stringify([name, tenantId, reach, args]);
    let question = this.questions.get(text);
    if (question === undefined) {
      const workspaceId =
        reach.level === "workspaces" && reach.workspaceIds.length === 1
          ? reach.workspaceIds[0]!
          : ((args as { workspaceId?: string }).workspaceId ?? null);
      question = { tenantId, workspaceId, hash: hash("sha256", text, "base64url").slice(0, 22) };
      if (text.length > MAX_TEXT) return question;
      if (this.questions.size >= MAX_QUESTIONS) this.questions.clear();
      this.questions.set(text, question);
    }
    return question;
  }

  /**
   * Names an answer without looking at it: the version of what it can show, before the query, and who asks for what.
   * @returns undefined while no versions are known
   */
  etagOf({ tenantId, workspaceId, hash }: Question): string | undefined {
    const version = this.changes.version(tenantId, workspaceId);
    return version === null ? undefined : `"${version}.${hash}"`;
  }

  /** The answer with this ETag: the one that another caller just asked for, or a new one. */
  share<T>(etag: string | undefined, ask: () => Promise<Json<T>>): Promise<Json<T>> {
    if (!etag) return ask();
    const slot = Buffer.from(etag.slice(-9, -1), "base64url").readUInt16LE() % SLOTS;
    const known = this.shared[slot];
    if (known?.etag === etag) return known.answer as Promise<Json<T>>;
    const made = { etag, answer: ask() };
    this.shared[slot] = made;
    const forget = (): void => {
      if (this.shared[slot] === made) this.shared[slot] = undefined;
    };
    // Callers that poll in the same moment arrive over a while. The version is part of the ETag, so after a change this
    // answer is not found.
    made.answer.then(
      (answer) => (answer.etag === undefined ? forget() : setTimeout(forget, SHARED_MS).unref()),
      forget,
    );
    return made.answer;
  }
}
