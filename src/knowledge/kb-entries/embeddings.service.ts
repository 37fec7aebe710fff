import { Injectable } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { type Caller, system } from "../../platform/caller/caller.js";
import { Changes } from "../../platform/database/changes.js";
import { Database } from "../../platform/database/database.js";
import { JobRunner } from "../../platform/jobs/job-runner.js";
import type { PeriodicJob } from "../../platform/jobs/periodic-job.js";
import { bytesOf, EmbeddingServer } from "../review/embedding-server.js";

/** Questions of one request: their vectors must fit into 1 MiB of JSON. */
const BATCH = 16;
const TIMEOUT_MS = 30_000;
/** A text that every model accepts. */
const PLAIN = "hello";
interface Due {
  entryId: string;
  n: number;
  said: string;
}

/**
 * Gives each question its vector after it was written, so that writing never waits for the embedding server. If the server
 * changes its model or its dimensions, all vectors are requested again. One process at a time.
 */
@Injectable()
export class EmbeddingsService {
  private readonly job: PeriodicJob;
  /** Tenants in which nothing is due, with the version of their data when that was read. */
  private readonly done = new Map<string, string>();

  constructor(
    private readonly jobs: JobRunner,
    private readonly db: Database,
    private readonly server: EmbeddingServer,
    private readonly changes: Changes,
  ) {
    this.job = jobs.periodic("embeddings", async () => {
      if (this.server.configured) await this.run();
    });
  }

  @Interval(1_000)
  tick(): Promise<void> {
    return this.job.tick();
  }

  /** @throws Error: the server does not answer */
  async run(): Promise<void> {
    // The first vector tells which model the server runs, and so which stored vectors are void.
    if (this.server.mark === undefined) await this.server.embed([PLAIN], TIMEOUT_MS);
    const tenants = await this.jobs.acrossTenants<{ id: string }>({ sql: "select id from tenant" });
    await this.db.exclusively("parley embeddings", async () => {
      for (const { id } of tenants) await this.embedAll(system("knowledge", id, "live"));
    });
  }

  private async embedAll(caller: Caller): Promise<void> {
    while (!this.job.stopping) {
      const { mark } = this.server;
      const version = this.changes.version(caller.tenantId, null);
      const seen = version === null ? undefined : `${version} ${mark}`;
      if (seen !== undefined && this.done.get(caller.tenantId) === seen) return;
      const due = await this.db.transaction(caller, (tx) => {
        tx.unseen();
        return tx.query<Due>(
          `select entry_id as "entryId", n, said from kb_question where tenant_id = :tenant and (model < :mark or model > :mark) order by model, entry_id, n limit ${BATCH}`,
          { mark },
        );
      });
      if (!due.length) {
        if (seen !== undefined) this.done.set(caller.tenantId, seen);
        return;
      }
      await this.embed(caller, due);
    }
  }

  private async embed(caller: Caller, due: Due[]): Promise<void> {
    try {
      const { vectors, mark } = await this.server.embed(
        due.map(({ said }) => said),
        TIMEOUT_MS,
      );
      await this.keep(caller, due, vectors, mark);
    } catch (error) {
      // Either the server does not answer, or it rejects one of the texts: that one gets no vector.
      const { mark } = await this.server.embed([PLAIN], TIMEOUT_MS).catch(() => {
        throw error;
      });
      if (due.length > 1) for (const one of due) await this.embed(caller, [one]);
      else await this.keep(caller, due, [null], mark);
    }
  }

  /** Skips questions that were changed in the meantime. */
  private async keep(caller: Caller, due: Due[], vectors: (Float32Array | null)[], mark: string): Promise<void> {
    await this.db.transaction(caller, (tx) => {
      tx.unseen();
      return tx.query(
        `update kb_question q set vector = decode(u.vector, 'base64'), model = :mark
        from unnest(:entries::uuid[], :ns::int[], :said::text[], :vectors::text[]) u (entry_id, n, said, vector)
        where q.tenant_id = :tenant and q.entry_id = u.entry_id and q.n = u.n and q.said = u.said`,
        {
          mark,
          entries: due.map(({ entryId }) => entryId),
          ns: due.map(({ n }) => n),
          said: due.map(({ said }) => said),
          vectors: vectors.map((vector) => vector && bytesOf(vector).toString("base64")),
        },
      );
    });
  }
}
