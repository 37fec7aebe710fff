import { hash } from "node:crypto";
import { ConflictException, UnprocessableEntityException } from "@nestjs/common";
import { type Caller, callerId } from "../caller/caller.js";
import { type IdempotencyKey, requestOf } from "../caller/request-context.js";
import { coded } from "../http/error-codes.js";
import { driverError, notRepeatable, Replayed } from "../http/errors.js";
import { Json } from "../http/json.js";
import { sql, TENANT } from "./sql.js";
import { query } from "./statements.js";
import type { Tx } from "./transaction.js";

/** How long a repeat waits for the first request with its key. */
export const IN_FLIGHT_WAIT_MS = 10_000;

/** An Idempotency-Key as the database knows it. */
export interface Claim extends Readonly<IdempotencyKey> {
  /** SHA-256 over the caller, the method, the path and the key. */
  fingerprint: Buffer;
}

const OWN_KEY = { unrestricted: "a fingerprint contains the caller's id, so no caller finds the key of another" };

const CLAIM = query<{ fingerprint: Buffer; bodyHash: Buffer }>()(
  "idempotency.claim",
  OWN_KEY,
  ({ fingerprint, bodyHash }) => sql`
    insert into idempotency_key (tenant_id, fingerprint, body_hash)
    values (${TENANT}, ${fingerprint}, ${bodyHash})
    on conflict do nothing returning true as claimed`,
);

const STORE = query<{ fingerprint: Buffer; status: number; response: string | null }>()(
  "idempotency.store",
  OWN_KEY,
  ({ fingerprint, status, response }) => sql`
    update idempotency_key set status = ${status}, response = ${response}
    where tenant_id = ${TENANT} and fingerprint = ${fingerprint}`,
);

/** Whoever claimed it has stored its status in the same transaction. */
const FIND = query<{ fingerprint: Buffer }, { bodyHash: Buffer; status: number; response: string | null }, "status">()(
  "idempotency.find",
  OWN_KEY,
  ({ fingerprint }) => sql`
    select body_hash as "bodyHash", status, response from idempotency_key
    where tenant_id = ${TENANT} and fingerprint = ${fingerprint}`,
);

/** The claim that the caller's request makes, if it has an Idempotency-Key. */
export function claimOf(caller: Caller): Claim | null {
  const idempotency = requestOf(caller)?.idempotency;
  if (!idempotency) return null;
  const { method, path, key } = idempotency;
  return {
    ...idempotency,
    fingerprint: hash("sha256", JSON.stringify([callerId(caller), method, path, key]), "buffer"),
  };
}

/**
 * Marks the key of the caller's request as the one that this transaction claims.
 * @throws Error where an earlier transaction of the request claimed it: a repeat would skip the second effect
 */
export function assertFirstClaim(caller: Caller): void {
  const idempotency = requestOf(caller)?.idempotency;
  if (!idempotency) return;
  if (idempotency.claimed)
    throw new Error(`${idempotency.method} ${idempotency.path} does its work in more than one transaction`);
  idempotency.claimed = true;
}

/**
 * Makes this request the one that counts. Another one with the same key waits here until this transaction ends.
 * @throws Replayed, ConflictException (the first is still running), UnprocessableEntityException (another body)
 */
export async function claim(tx: Tx, made: Claim): Promise<void> {
  const [claimed] = await tx.query(CLAIM, made).catch((error: unknown) => {
    throw driverError(error)?.code === "55P03" ? stillRunning() : (error as Error);
  });
  if (claimed) return;
  await replay(tx, made);
  throw stillRunning();
}

/** Keeps the answer for repeats, in the transaction of the effect. */
export async function store(tx: Tx, { method, path, fingerprint }: Claim, result: unknown): Promise<void> {
  if (!(result instanceof Json)) throw new Error(`${method} ${path} gives its transaction no answer to store`);
  await tx.query(STORE, { fingerprint, status: result.status, response: result.secret ? null : result.text });
}

/** Returns if no request with this key has ended; one may be running. */
export async function replay(tx: Tx, { fingerprint, bodyHash }: Claim): Promise<void> {
  const [first] = await tx.query(FIND, { fingerprint });
  if (!first) return;
  if (!first.bodyHash.equals(bodyHash))
    throw new UnprocessableEntityException("This Idempotency-Key was used before with another body");
  if (first.response === null) throw notRepeatable();
  throw new Replayed(new Json(first.response, first.status));
}

const stillRunning = () =>
  coded(
    new ConflictException("The first request with this Idempotency-Key is still running; try again"),
    "idempotency-key-busy",
  );

/** Requests with a key that this process is working on. Their repeats wait here rather than each on a connection. */
export class InFlight {
  private readonly running = new Map<string, Promise<void>>();

  /** @throws ConflictException after `IN_FLIGHT_WAIT_MS` */
  async run<T>({ tenantId }: Caller, { fingerprint }: Claim, work: () => Promise<T>): Promise<T> {
    const key = tenantId + fingerprint.toString("base64");
    const deadline = Date.now() + IN_FLIGHT_WAIT_MS;
    for (let ahead = this.running.get(key); ahead; ahead = this.running.get(key)) await before(deadline, ahead);
    const attempt = work();
    const settled = attempt.then(
      () => undefined,
      () => undefined,
    );
    this.running.set(key, settled);
    try {
      return await attempt;
    } finally {
      this.running.delete(key);
    }
  }
}

async function before(deadline: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await Promise.race([
      work,
      new Promise((_, reject) => {
        timer = setTimeout(() => reject(stillRunning()), Math.max(deadline - Date.now(), 0));
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
