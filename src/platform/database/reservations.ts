import { hash } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { withClient } from "./checked-connection.js";
import { Servers } from "./servers.js";

/** Longer than any transaction: whoever reserved something and does not have it by then will not have it. */
const SETTLED = "interval '5 minutes'";

const RESERVE = `insert into reservation (hash, holder) values ($1, $2) on conflict do nothing`;
const FIND = `select holder, reserved_at < now() - ${SETTLED} as settled from reservation where hash = $1`;
const TAKE_OVER = `update reservation set holder = $2, reserved_at = now()
  where hash = $1 and holder = $3 and reserved_at < now() - ${SETTLED}`;

const RELEASE = `delete from reservation where hash = $1 and holder = $2`;

const keyOf = (kind: Unique["kind"], value: string): Buffer => hash("sha256", `${kind} ${value}`, "buffer");

/** What only one organisation may have: an email that a member has proven, an account at an issuer, an external id. */
export interface Unique {
  kind: "proven email" | "identity" | "external id";
  value: string;
  organisationId: string;
  /** Whether this other organisation still has it. */
  isHeldBy: (organisationId: string) => Promise<boolean>;
}

/**
 * With several servers, no index sees all rows that must be unique. So an organisation reserves what it is about to have, on
 * control. What it had and gave up is noticed when another one asks for it.
 */
@Injectable()
export class Reservations {
  constructor(private readonly servers: Servers) {}

  private get isSpread(): boolean {
    return this.servers.all.length > 1;
  }

  /** @returns false if another organisation has it, or is about to. With one server, an index says so. */
  async reserve({ kind, value, organisationId, isHeldBy }: Unique): Promise<boolean> {
    if (!this.isSpread) return true;
    const key = keyOf(kind, value);
    // Not of the pool: the caller's transaction may hold its last connection.
    return withClient(this.servers.control.connections.app, async (client) => {
      await client.query(RESERVE, [key, organisationId]);
      const { rows } = await client.query<{ holder: string; settled: boolean }>(FIND, [key]);
      const { holder, settled } = rows[0]!;
      if (holder === organisationId) return true;
      if (!settled || (await isHeldBy(holder))) return false;
      const { rowCount } = await client.query(TAKE_OVER, [key, organisationId, holder]);
      return rowCount === 1;
    });
  }

  /** Gives up what was not made after all. */
  async release({ kind, value, organisationId }: Unique): Promise<void> {
    if (!this.isSpread) return;
    await this.servers.control.pool.query(RELEASE, [keyOf(kind, value), organisationId]);
  }

  /** @returns false if another organisation has it; this one may then still not reserve it */
  async isFree({ kind, value, organisationId, isHeldBy }: Unique): Promise<boolean> {
    if (!this.isSpread) return true;
    const key = keyOf(kind, value);
    const { rows } = await this.servers.control.pool.query<{ holder: string; settled: boolean }>(FIND, [key]);
    const [found] = rows;
    if (!found || found.holder === organisationId) return true;
    return found.settled && !(await isHeldBy(found.holder));
  }
}
