import { Injectable, Logger } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { Servers } from "../../platform/database/servers.js";
import { JobRunner } from "../../platform/jobs/job-runner.js";
import type { PeriodicJob } from "../../platform/jobs/periodic-job.js";
import { named, withEnds } from "./ends.js";
import { lockMove } from "./homes.js";
import { Move } from "./move.js";
import { findOrganisation } from "./organisation-tables.js";

interface Waiting {
  organisation: string;
  server: string;
  other: string;
  isMoved: boolean;
}

/** Moved a day ago, or in the middle of a hand-over, where no move stays for long. */
const WAITING = {
  name: "moves.waiting",
  text: `
    select h.organisation_id as organisation, h.server, h.other, h.state = 'purging' as "isMoved" from home h
    where (h.state = 'purging' and h.since < now() - interval '1 day')
      or (h.state in ('draining', 'moving') and h.since < now() - interval '2 seconds')`,
};

/**
 * What is left of moves: the old rows of organisations that moved a day ago, and the closed door of those whose move was killed. It
 * connects as the owner of the tables, because the application's role may do neither.
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

  @Interval(2_000)
  tick(): Promise<void> {
    return this.job.tick();
  }

  async run(): Promise<void> {
    if (this.servers.all.length === 1) return;
    const { rows } = await this.servers.control.pool.query<Waiting>(WAITING);
    await this.job.forEach(rows, (waiting) => this.end(waiting));
  }

  private end({ organisation: id, server, other, isMoved }: Waiting): Promise<void> {
    return withEnds(
      this.servers.all.map(({ connections }) => connections),
      async (ends) => {
        const control = ends[0]!.client;
        const source = named(ends, isMoved ? other : server);
        const target = named(ends, isMoved ? server : other);
        // Another process is at it.
        if (!(await lockMove(control, { id }))) return;
        const organisation = await findOrganisation(named(ends, server).client, id);
        if (!organisation) return;
        const log = (line: string): void => this.log.log(`${id}: ${line}`);
        const move = new Move({ control, source, target, organisation, log });
        if (isMoved) await move.purgeOld();
        else if (await move.resume())
          this.log.warn(`${id}: the process that moved it has died. Run the move again, or undo it with --abort`);
      },
    );
  }
}
