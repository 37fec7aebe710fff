import { Logger } from "@nestjs/common";
import type { Homes } from "./homes.js";
import type { Server, Servers } from "./servers.js";

/** More than any tenant may have: nothing of it is claimed. */
const ALL = 1_000_000;

/** What a claim has to keep to (see `Room` of the jobs); other statements have nothing of it. */
interface Room {
  limit?: number;
  free?: number;
  tenants?: readonly string[];
  held?: readonly number[];
}

/** Asks all servers for what is not one organisation's. */
export class Everywhere {
  private readonly log = new Logger("servers");
  /** Where the next sweep begins, so that no server always takes all the room. */
  private turn = 0;

  constructor(
    private readonly servers: Servers,
    private readonly homes: Homes,
  ) {}

  async lookUp<Row>(
    ask: (server: Server) => Promise<Row[]>,
    tenantOf: (row: Row) => string | undefined,
    isEnough: (rows: readonly Row[]) => boolean,
  ): Promise<Row[]> {
    const answers = await Promise.allSettled(
      this.servers.all.map(async (server) => {
        server.assertUp();
        return this.believed(server, await ask(server), tenantOf);
      }),
    );
    const rows = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    const failed = answers.find((answer) => answer.status === "rejected");
    if (failed && !isEnough(rows)) throw failed.reason;
    return rows;
  }

  private async believed<Row>(
    { name }: Server,
    rows: readonly Row[],
    tenantOf: (row: Row) => string | undefined,
  ): Promise<Row[]> {
    const kept: Row[] = [];
    for (const row of rows) {
      const tenantId = tenantOf(row);
      if (tenantId !== undefined && (await this.homes.nameOf(tenantId)) === name) kept.push(row);
    }
    return kept;
  }

  async sweep<Row>(
    ask: (server: Server, room: Room, strangers: readonly string[]) => Promise<Row[]>,
    room: Room,
  ): Promise<Row[]> {
    const { all, control } = this.servers;
    // Only control knows whose jobs have to wait. That it is down, or another server, was said once.
    if (!control.isUp()) return [];
    const first = this.turn++ % all.length;
    const rows: Row[] = [];
    for (const server of [...all.slice(first), ...all.slice(0, first)]) {
      if (room.limit !== undefined && rows.length >= room.limit) break;
      if (!server.isUp()) continue;
      try {
        const strangers = await this.homes.strangersOn(server);
        const found = await ask(server, roomLeft(room, rows.length, strangers), strangers);
        rows.push(...(strangers.length ? found.filter((row) => !isOf(row, strangers)) : found));
      } catch (error) {
        this.log.warn(`${server.name} is left out: ${(error as Error).message}`);
      }
    }
    return rows;
  }
}

function roomLeft({ limit, free, tenants, held }: Room, taken: number, strangers: readonly string[]): Room {
  // A tenant that has something in progress is named already.
  const isOurs = (_: unknown, n: number): boolean => !strangers.includes(tenants![n]!);
  return {
    ...(limit !== undefined && { limit: limit - taken }),
    ...(free !== undefined && { free: free - taken }),
    ...(tenants && { tenants: [...tenants.filter(isOurs), ...strangers] }),
    ...(held && { held: [...held.filter(isOurs), ...strangers.map(() => ALL)] }),
  };
}

/** Whether a row is about one of these tenants: by its tenant, or as the tenant itself. */
const isOf = (row: unknown, tenants: readonly string[]): boolean => {
  const { tenantId, organisationId, id } = row as Record<string, unknown>;
  return [tenantId, organisationId, id].some((value) => tenants.includes(value as string));
};
