import {
  type ArgumentsHost,
  Catch,
  ConflictException,
  type ExceptionFilter,
  ForbiddenException,
  HttpException,
  Logger,
  NotFoundException,
} from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { coded, type Coded, type ErrorCode, errorHeaders } from "./error-codes.js";
import type { Json } from "./json.js";

/**
 * The same answer for a resource that does not exist, belongs to another tenant, or is not accessible to the caller.
 * @param field names it in a body or a query, such as `contactId`. Left out: the path does
 */
export const notFound = (field?: string): NotFoundException => {
  const error = new NotFoundException("Not found");
  return field === undefined ? error : coded(error, "not-found", `no such ${field}`);
};

/** The caller may do this after another step. The answer is 403 and names the step. */
export class ForbiddenUntil extends ForbiddenException {}

/** This POST was already carried out. Its first answer is sent again. */
export class Replayed extends Error {
  constructor(readonly answer: Json) {
    super("replayed");
  }
}

export const ARCHIVED = "The workspace is archived: it can be read, not written to";
const BLOCKED = "The contact is blocked: its messages are not taken";
export const ERASED = "The contact was erased: nothing can be added";
const CODES: Readonly<Record<string, ErrorCode>> = {
  [ARCHIVED]: "workspace-archived",
  [BLOCKED]: "contact-blocked",
  [ERASED]: "contact-erased",
};
const UNAVAILABLE = "The service is temporarily unavailable; try again";
/** A server that takes no changes, as a former primary after a failover. */
const READ_ONLY = "25006";
/**
 * Connection lost or refused, too many connections, shutting down, no changes taken, statement or lock timed out, deadlock. Or a statement
 * is not prepared: the one that was sent before it, and would have prepared it, has failed.
 */
const UNAVAILABLE_SQLSTATE = /^(08|28|3D|53|57|58)|^(25006|26000|55000|55P03|40001|40P01)$/;
const UNAVAILABLE_SYSTEM = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "ETIMEDOUT",
  "EPIPE",
  // An address that moves to another machine leads nowhere for a moment.
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "ENETUNREACH",
  "ENETDOWN",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENOSPC",
  "EDQUOT",
  "EMFILE",
  "ENFILE",
]);
/** TypeORM gives a connection that broke back at once, and then says that of whatever the transaction does next. */
const UNAVAILABLE_DRIVER =
  /timeout|Connection terminated|Client has encountered a connection error|Query runner already released/i;

interface DriverError {
  code?: string;
  message: string;
  stack?: string;
  constraint?: string;
  table?: string;
  column?: string;
  /** Which functions PostgreSQL was in, the innermost first. */
  where?: string;
}

/** Whether PostgreSQL gave the code. Each of its codes has a digit; EPIPE, the system's for a connection that is gone, has none. */
export const isSqlState = (code: string): boolean => /^(?=.*\d)[0-9A-Z]{5}$/.test(code);

/** The PostgreSQL driver's error inside a TypeORM error, if there is one. */
export function driverError(error: unknown): DriverError | undefined {
  const inner = (error as { driverError?: DriverError }).driverError ?? error;
  return inner instanceof Error ? inner : undefined;
}

/** Another transaction came first, at a unique key or in a deadlock. This one was rolled back and can be run again. */
export const lostRace = (error: unknown): boolean => ["23505", "40P01"].includes(driverError(error)?.code ?? "");

export const isReadOnly = (error: unknown): boolean => driverError(error)?.code === READ_ONLY;

/** Connection lost or refused, no room, shutting down, no changes taken: nothing else would work either. A statement that took too long is not among them. */
const NOTHING_WORKS_SQLSTATE = /^(08|25006|28|3D|53|57P|58)/;

/** The functions of triggers that derive something from a change; see `derived.sql`. */
const DERIVES =
  /\bfunction (?:audit_\w+|search_\w+|directory_\w+|count_(?:message|delivery|handoff)|note_agent|keep_(?:contact_workspace|last_seen|open_time|reply_time|assistant_time|person_reply|hand_over)|kb_entry_indexed|policy_entry_indexed)\(/;

/** A trigger could not derive something, such as an index entry, so the change itself failed. A repair is not put off again. */
export function derivationFailed(error: unknown): boolean {
  const { code = "", where = "" } = driverError(error) ?? {};
  return (
    isSqlState(code) &&
    !NOTHING_WORKS_SQLSTATE.test(code) &&
    DERIVES.test(where) &&
    !where.includes("function repair_derived(")
  );
}

/** The cause for the log. PostgreSQL's `detail` is left out: it quotes the row, as some messages quote the value. */
export function causeOf(error: unknown): string {
  const inner = driverError(error);
  if (!inner) return String(error);
  const { code = "", message, stack = "", constraint, table, column, where } = inner;
  const frames = stack.slice(stack.indexOf("\n    at ") + 1 || stack.length);
  if (!isSqlState(code)) return stack || message;
  const named = Object.entries({ constraint, table, column, where })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${value}`);
  return [[`${code} ${message.replace(/: ".*"$/s, "")}`, ...named].join("; "), frames].filter(Boolean).join("\n");
}

export interface Failure extends Coded {
  status: number;
  message: string;
}

/** What any error says, without internal details. Of the database's errors, only foreseen ones are the caller's. */
export function describeError(error: unknown): Failure {
  if (error instanceof HttpException) {
    const { errorCode, detail } = error as Coded;
    return { status: error.getStatus(), message: httpMessage(error), errorCode, detail };
  }
  const status = (error as { statusCode?: unknown }).statusCode;
  if (typeof status === "number" && status >= 400 && status < 500) return { status, message: (error as Error).message };
  const { code = "", message = "", constraint = "" } = driverError(error) ?? {};
  if (isSqlState(code)) {
    if (code === "23505") return { status: 409, message: "Something with the same unique value exists already" };
    // Nothing can be added to an erased contact or conversation: `contact_erased`, `conversation_erased`.
    if (code === "23514" && constraint.endsWith("_erased")) return { status: 409, message: ERASED };
    if (code === "23514" && constraint === "contact_blocked") return { status: 409, message: BLOCKED };
    // The workspace was archived during the request. Later requests are refused earlier.
    if (code === "23514" && constraint === "workspace_archived") return { status: 409, message: ARCHIVED };
    if (UNAVAILABLE_SQLSTATE.test(code)) return { status: 503, message: UNAVAILABLE };
  } else if (UNAVAILABLE_SYSTEM.has(code) || UNAVAILABLE_DRIVER.test(message))
    return { status: 503, message: UNAVAILABLE };
  return { status: 500, message: "Internal Server Error" };
}

function httpMessage(error: HttpException): string {
  switch (error.getStatus()) {
    case 401:
      return "Unauthorized";
    case 403:
      return error instanceof ForbiddenUntil ? error.message : "Forbidden";
    case 500:
      return "Internal Server Error";
    default:
      return error.message;
  }
}

/** Answers with `{error}` and nothing else. Programs find the code in a header. */
export function sendFailure(
  reply: FastifyReply,
  { status, message, errorCode = CODES[message], detail }: Failure,
): void {
  if (status === 401) void reply.header("WWW-Authenticate", "Bearer");
  void reply
    .status(status)
    .headers(errorHeaders(status, { errorCode, detail }))
    .type("application/json; charset=utf-8")
    .send(JSON.stringify({ error: message }));
}

/** Answers every failure. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly log = new Logger("http");

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (reply.sent) return;
    if (error instanceof Replayed) {
      void reply
        .status(error.answer.status)
        .header("Idempotency-Replayed", "true")
        .header("Cache-Control", "private, no-store")
        .type("application/json; charset=utf-8")
        .send(error.answer.text);
      return;
    }
    const failure = describeError(error);
    const { status } = failure;
    if (status === 500) this.log.error(`request ${reply.request.id}: ${causeOf(error)}`);
    // The log says which dependency failed. The client does not learn it.
    else if (status === 503) this.log.warn((error as Error).message);
    if (status === 413) void reply.header("Connection", "close");
    if (error instanceof RetryLater) void reply.header("Retry-After", String(error.seconds));
    if (status === 503) void reply.header("Retry-After", "1");
    sendFailure(reply, failure);
  }
}

/** Too many attempts: 429 with the number of seconds to wait. */
export class RetryLater extends HttpException {
  constructor(
    message: string,
    readonly seconds: number,
  ) {
    super(message, 429);
  }
}

/** A repeated POST whose first answer was not stored. */
export const notRepeatable = (): ConflictException =>
  coded(
    new ConflictException(
      "This request was carried out before, and its answer is not kept because it held a secret or was erased",
    ),
    "answer-not-kept",
  );
