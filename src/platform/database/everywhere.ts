import { Logger } from "@nestjs/common";
import type { Homes } from "./homes.js";
import type { Server, Servers } from "./servers.js";

/** More than any tenant may have: nothing of it is claimed. */
const ALL = 1_000_000;
const MAX_ANSWERED = 50_000;

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
  /** Which server alone answered a question. It is asked first the next time: few organisations move. */
  private readonly answered = new Map<string, Server>();

  constructor(
    private readonly servers: Servers,
    private readonly homes: Homes,
  ) {}

  /** @param question the same for the same rows */
  async lookUp<Row>(
    question: string,
    ask: (server: Server) => Promise<Row[]>,
    tenantOf: (row: Row) => string | undefined,
    isEnough: (rows: readonly Row[]) => boolean,
  ): Promise<Row[]> {
    const believedOf = async (server: Server): Promise<Row[]> => {
      server.assertUp();
      return this.believed(server, await ask(server), tenantOf);
    };
    const likely = this.answered.get(question);
    if (likely) {
      const known = await believedOf(likely).catch((): Row[] => []);
      if (isEnough(known)) return known;
      this.answered.delete(question);
    }
    const answers = await Promise.allSettled(this.servers.all.map(believedOf));
    const found = answers.map((answer) => (answer.status === "fulfilled" ? answer.value : []));
    const rows = found.flat();
    const failed = answers.find((answer) => answer.status === "rejected");
    if (failed && !isEnough(rows)) throw failed.reason;
    const at = found.findIndex(({ length }) => length);
    if (isEnough(rows) && found[at]?.length === rows.length) this.note(question, this.servers.all[at]!);
    return rows;
  }

  private note(question: string, server: Server): void {
    if (this.answered.size >= MAX_ANSWERED) this.answered.clear();
    this.answered.set(question, server);
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
