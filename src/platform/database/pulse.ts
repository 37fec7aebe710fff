import { setImmediate as afterReading, setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { allowToBreak } from "./checked-connection.js";
import type { Connections } from "./connections.js";

const EVERY_MS = 250;
/** A server that does not answer for this long counts as down. */
const LIMIT_MS = 750;

/** A server that is down. It has the code of PostgreSQL for that, so it counts as unavailable. */
class ServerDown extends Error {
  readonly code = "08006";
}

class Silent extends Error {}

/**
 * Whether a server answers, found out on a connection of its own, so that nobody waits for one that does not. One process asks four
 * times a second.
 */
export class Pulse {
  isUp = true;
  private client?: pg.Client;
  private stopped = false;

  /** @param down is called when the server stops answering, for what waits for it */
  constructor(
    private readonly connections: Connections,
    private readonly down: () => void,
  ) {}

  get error(): Error {
    return new ServerDown(`the server ${this.connections.name} does not answer`);
  }

  /** @throws ServerDown */
  assertUp(): void {
    if (!this.isUp) throw this.error;
  }

  /** Asks for the first time, and then again and again. */
  async start(): Promise<void> {
    await this.ask();
    void this.goOn();
  }

  private async goOn(): Promise<void> {
    while (!this.stopped) {
      await sleep(EVERY_MS, undefined, { ref: false });
      if (!this.stopped) await this.ask();
    }
  }

  private async ask(): Promise<void> {
    try {
      const known = this.client;
      try {
        await answerOf((this.client ??= await this.connect()));
      } catch (error) {
        // A connection that broke says nothing of a server that is back already. Only a new one does.
        if (!known || error instanceof Silent) throw error;
        this.drop();
        await answerOf((this.client = await this.connect()));
      }
      this.isUp = true;
    } catch {
      this.drop();
      if (this.isUp && !this.stopped) {
        this.isUp = false;
        this.down();
      }
    }
  }

  private drop(): void {
    void this.client?.end().catch(() => undefined);
    this.client = undefined;
  }

  private async connect(): Promise<pg.Client> {
    const client = new pg.Client({
      ...this.connections.direct,
      application_name: "parley pulse",
      connectionTimeoutMillis: LIMIT_MS,
    });
    allowToBreak(client);
    try {
      await client.connect();
      return client;
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.client?.end().catch(() => undefined);
  }
}

/** @throws Silent if there is none in time */
async function answerOf(client: pg.Client): Promise<void> {
  const answered = new AbortController();
  const tooLate = async (): Promise<never> => {
    await sleep(LIMIT_MS, undefined, { ref: false, signal: answered.signal });
    // If it was this process that was busy, the answer is there, and only has to be read.
    await afterReading();
    throw new Silent();
  };
  try {
    await Promise.race([client.query("select 1"), tooLate()]);
  } finally {
    answered.abort();
  }
}
