import { setImmediate as afterReading, setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Connections } from "./connections.js";

const EVERY_MS = 250;
/** A server that does not answer for this long counts as down. */
const LIMIT_MS = 750;

/** A server that is down. It has the code of PostgreSQL for that, so it counts as unavailable. */
class ServerDown extends Error {
  readonly code = "08006";
}

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
      const client = (this.client ??= await this.connect());
      await answerOf(client);
      this.isUp = true;
    } catch {
      void this.client?.end().catch(() => undefined);
      this.client = undefined;
      if (this.isUp && !this.stopped) {
        this.isUp = false;
        this.down();
      }
    }
  }

  private async connect(): Promise<pg.Client> {
    const client = new pg.Client({
      ...this.connections.direct,
      application_name: "parley pulse",
      connectionTimeoutMillis: LIMIT_MS,
    });
    client.on("error", () => undefined);
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

/** @throws Error if there is none in time */
async function answerOf(client: pg.Client): Promise<void> {
  const answered = new AbortController();
  const tooLate = async (): Promise<never> => {
    await sleep(LIMIT_MS, undefined, { ref: false, signal: answered.signal });
    // If it was this process that was busy, the answer is there, and only has to be read.
    await afterReading();
    throw new Error("no answer");
  };
  try {
    await Promise.race([client.query("select 1"), tooLate()]);
  } finally {
    answered.abort();
  }
}
