import { Injectable } from "@nestjs/common";
import { FairShare } from "../../platform/jobs/fair-share.js";
import { OutboundClient, OutboundError } from "../../platform/outbound/outbound.client.js";
import { storable } from "./argument-schema.js";
import type { Bound, OwnTool } from "./tool-calls.queries.js";
import { isProven } from "./tool-gate.js";
import { ToolsService } from "./tools.service.js";

/** Calls that this process has open at once, over all tenants. */
const MAX_OPEN = 100;
/** Of an answer, in bytes: it is read by a model and stored. */
const MAX_ANSWER = 65_536;
/** Of an error, in characters. */
const MAX_ERROR = 2_000;
/** A shorter secret would be found in answers that do not hold it. */
const MIN_SECRET = 6;
/** Ours to mend, and not the caller's: credentials, and what is too much. */
const FAULTY = [401, 403, 407, 408, 425, 429];

const NOT_DONE = "The tool did not answer, and has not done it";

/** How a call ended. */
export type Called =
  | { kind: "answered"; value: unknown }
  /** The tool said no. `bad`: it does not work as it should. */
  | { kind: "failed"; error: string; status: number; bad: boolean }
  /** No answer: nobody knows whether the tool has done it. `bad`: it had all of its time. */
  | { kind: "unknown"; error: string; bad: boolean };

export interface ToolCall {
  tenantId: string;
  tool: string;
  own: OwnTool;
  bound: Bound;
  arguments: Record<string, unknown>;
  /** Two calls with the same one are the same. */
  key: string;
  /** As `Date.now()`: it is given up then. Without one, only the tool's own limit counts. */
  deadline?: number;
}

/** Of the time until the deadline, what the call itself may take where the tool can be asked afterwards what became of it. */
const SHARE_OF_CALL = 0.75;
const TIME_IS_UP: Called = { kind: "failed", error: "The time was up before the call", status: 0, bad: false };
/** What a tool is told of a contact whom nothing proves to be the one who writes. */
const NOBODY = { externalId: null, name: null, emails: [], phones: [] };

/** Calls the tools of tenants, with credentials that no model ever sees. */
@Injectable()
export class ToolClient {
  private readonly open = new FairShare(MAX_OPEN);

  constructor(
    private readonly outbound: OutboundClient,
    private readonly tools: ToolsService,
  ) {}

  /** If no answer comes, it asks the tool's status URL, where there is one, whether the call was carried out. */
  async call(call: ToolCall): Promise<Called> {
    const { own, deadline } = call;
    if (deadline !== undefined && Date.now() >= deadline) return TIME_IS_UP;
    const asks = own.effect === "write" && own.statusUrl !== null;
    const called = await this.send(call, own.url, asks ? SHARE_OF_CALL : 1);
    if (called.kind !== "unknown" || !asks) return called;
    return (await this.statusOf(call)) ?? called;
  }

  /** Asks whether a call was carried out. @returns undefined if the tool has no status URL, or does not know */
  async statusOf(call: ToolCall): Promise<Called | undefined> {
    const { statusUrl } = call.own;
    const status = statusUrl === null ? undefined : await this.send(call, statusUrl);
    if (status?.kind !== "answered" || typeof status.value !== "object" || status.value === null) return undefined;
    const { executed, result = null } = status.value as { executed?: unknown; result?: unknown };
    if (executed === true) return { kind: "answered", value: result };
    return executed === false ? { kind: "failed", error: NOT_DONE, status: 0, bad: true } : undefined;
  }

  /** @param share of the time that is left, which it may take */
  private async send(call: ToolCall, url: string, share = 1): Promise<Called> {
    const { tenantId, tool, own, bound, arguments: values, key, deadline = Infinity } = call;
    const { contact, conversationId, workspaceId, channelType, level, senderProof, sealed, agentId } = bound;
    const authorization = this.tools.authorizationOf(tenantId, { id: own.id, sealed });
    const { id, externalId, name, emails, phones } = isProven(bound) ? contact : { ...NOBODY, id: contact.id };
    const content = JSON.stringify({
      tool,
      arguments: values,
      idempotencyKey: key,
      workspaceId,
      agentId,
      contact: { id, externalId, name, emails, phones },
      conversation: { id: conversationId, channelType, assuranceLevel: level, senderProof },
    });
    const headers = {
      "content-type": "application/json",
      "idempotency-key": key,
      ...(authorization !== null && { authorization }),
    };
    const until = Date.now() + (deadline - Date.now()) * share;
    const timeoutMs = (): number => Math.max(1, Math.floor(Math.min(own.timeoutSeconds * 1_000, until - Date.now())));
    let sent = 0;
    let given = 0;
    try {
      const { status, text } = await this.open.run(
        tenantId,
        () => {
          sent = Date.now();
          given = timeoutMs();
          const limits = { timeoutMs: given, excerptBytes: MAX_ANSWER + 1 };
          return this.outbound.exchange(url, { method: "POST", content, headers, ...limits });
        },
        { signal: AbortSignal.timeout(timeoutMs()) },
      );
      return readAnswer(status, withoutSecret(text, authorization));
    } catch (error) {
      if (error instanceof OutboundError) {
        const cutShort = given < own.timeoutSeconds * 1_000 && Date.now() - sent + 1 >= given;
        return { kind: "unknown", error: error.message, bad: !cutShort };
      }
      if ((error as Error).name === "TimeoutError")
        return { kind: "failed", error: "Too many tools are called at once", status: 0, bad: false };
      throw error;
    }
  }
}

function readAnswer(status: number, text: string): Called {
  if (status < 200 || status > 299) {
    const error = `The tool answered with status ${status}: ${storable(text.slice(0, MAX_ERROR)) as string}`;
    return { kind: "failed", error, status, bad: status >= 500 || status < 400 || FAULTY.includes(status) };
  }
  const failed = (error: string): Called => ({ kind: "failed", error, status, bad: true });
  if (Buffer.byteLength(text) > MAX_ANSWER) return failed(`The tool answered with more than ${MAX_ANSWER / 1_024} KiB`);
  if (text === "") return { kind: "answered", value: null };
  try {
    return { kind: "answered", value: storable(JSON.parse(text)) };
  } catch {
    return failed("The tool answered with something else than JSON");
  }
}

/** A tool may repeat what it was sent. */
function withoutSecret(text: string, authorization: string | null): string {
  const secrets = authorization === null ? [] : [authorization, authorization.split(" ").at(-1)!];
  return secrets
    .filter((secret) => secret.length >= MIN_SECRET)
    .reduce((rest, secret) => rest.replaceAll(secret, "[removed]"), text);
}
