import { Injectable, Logger } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { CONTROL } from "../../platform/config/values.js";
import { Servers } from "../../platform/database/servers.js";
import { JobRunner } from "../../platform/jobs/job-runner.js";
import type { PeriodicJob } from "../../platform/jobs/periodic-job.js";
import { named, withEnds } from "./ends.js";
import { moveLockKey } from "./homes.js";
import { Move } from "./move.js";
import { findOrganisation } from "./organisation-tables.js";
import { nameOf } from "./replication.js";

interface Waiting {
  organisation: string;
  server: string;
  other: string;
  isMoved: boolean;
  /** Its old rows have been there for a day. */
  isOver: boolean;
}

/** Moved a day ago, or in the middle of a hand-over, or not compared after one, while no process is at it. */
const WAITING = {
  name: "moves.waiting",
  text: `
    select h.organisation_id as organisation, h.server, h.other, h.state = 'purging' as "isMoved",
      h.state = 'purging' and h.since < now() - interval '1 day' as "isOver"
    from home h
    where case when (h.state = 'purging' and h.since not between now() - interval '1 day' and now()) or h.state in ('draining', 'moving')
      then not exists (
        select from pg_locks l
        where l.locktype = 'advisory' and l.objsubid = 1
          and l.database = (select d.oid from pg_database d where d.datname = current_database())
          and l.classid::bigint << 32 | l.objid::bigint = ${moveLockKey("h.organisation_id::text")})
      else false end`,
};
/** Rows that were not compared stay until somebody says otherwise, and the publication goes when their copying has ended. */
const IS_COPYING = { name: "moves.isCopying", text: "select from pg_publication where pubname = $1" };

/**
 * What is left of moves: the old rows of organisations that moved a day ago, and whatever a process left that was killed. It connects as the
 * owner of the tables, because the application's role may not do any of it.
 */
@Injectable()
export class MovesJob {
  private readonly log = new Logger("moves");
  private readonly job: PeriodicJob;

  constructor(
    jobs: JobRunner,
    private readonly servers: Servers,
  ) {
    this.job = jobs.periodic("moves", () => this.run());
  }

  /** Requests wait for it while a killed move has their door closed. */
  @Interval(500)
  tick(): Promise<void> {
    return this.job.tick();
  }

  async run(): Promise<void> {
    const { all, control } = this.servers;
    if (all.length === 1 || !control.isUp()) return;
    const { rows } = await control.pool.query<Waiting>(WAITING);
    await this.job.forEach(rows, (waiting) => this.end(waiting));
  }

  private async end({ organisation: id, server, other, isMoved, isOver }: Waiting): Promise<void> {
    if (isMoved && !isOver && !(await this.isCopying(other, id))) return;
    // No other server: it may be down.
    const concerned = this.servers.all.filter(({ name }) => [CONTROL, server, other].includes(name));
    await withEnds(
      concerned.map(({ connections }) => connections),
      async (ends) => {
        const control = ends[0]!.client;
        const source = named(ends, isMoved ? other : server);
        const target = named(ends, isMoved ? server : other);
        const organisation = await findOrganisation(named(ends, server).client, id);
        if (!organisation) return;
        const log = (line: string): void => this.log.log(`${id}: ${line}`);
        const move = new Move({ control, source, target, organisation, log });
        if (isOver) await move.purgeOld();
        else if ((await move.resume()) && !isMoved)
          this.log.warn(`${id}: the process that moved it has died. Run the move again, or undo it with --abort`);
      },
    );
  }

  private async isCopying(source: string, id: string): Promise<boolean> {
    const { rowCount } = await this.servers.named(source).pool.query({ ...IS_COPYING, values: [nameOf({ id })] });
    return !!rowCount;
  }
}
