import { Injectable } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { type Caller, system } from "../../platform/caller/caller.js";
import { Changes } from "../../platform/database/changes.js";
import { Database } from "../../platform/database/database.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { globalQuery, type NoArgs, query } from "../../platform/database/statements.js";
import { JobRunner } from "../../platform/jobs/job-runner.js";
import type { PeriodicJob } from "../../platform/jobs/periodic-job.js";
import { bytesOf, EmbeddingServer } from "../review/embedding-server.js";
import { SENTENCES } from "../review/sentence-vectors.js";

/** Questions of one request: their vectors must fit into 1 MiB of JSON. */
const BATCH = 16;
const TIMEOUT_MS = 30_000;
/** A text that every model accepts. */
const PLAIN = "hello";
const TENANTS = globalQuery<NoArgs>()("embeddings.tenants", "everywhere", () => sql`select id from tenant`);

interface Due {
  entryId: string;
  n: number;
  said: string;
}

const ONLY_THE_JOB = { unrestricted: "only the job that embeds questions runs it" };
/** Questions whose vector is missing or of another model. `<` and `>`, unlike `<>`, use the index. */
const FIND_DUE = query<{ mark: string }, Due>()(
  "embeddings.findDue",
  ONLY_THE_JOB,
  ({ mark }) => sql`
    select q.entry_id as "entryId", q.n, q.said from kb_question q
    where q.tenant_id = ${TENANT} and (q.model < ${mark} or q.model > ${mark})
    order by q.model, q.entry_id, q.n limit ${BATCH}`,
);
/**
 * Until the transaction ends, no other stores vectors of the tenant. So they are committed in the order of their numbers, and who has read one
 * number has missed none below it. The job's own lock is not enough: it is lost with its connection while the work goes on.
 */
const WAIT_FOR_TURN = query()(
  "embeddings.waitForTurn",
  ONLY_THE_JOB,
  () => sql`select pg_advisory_xact_lock(hashtext('parley vectors'), hashtext(${TENANT}::uuid::text))`,
);
const STORE = query<{
  mark: string;
  entries: readonly string[];
  ns: readonly number[];
  said: readonly string[];
  /** Base64, or null for a text that the model rejects. */
  vectors: readonly (string | null)[];
}>()(
  "embeddings.store",
  ONLY_THE_JOB,
  ({ mark, entries, ns, said, vectors }) => sql`
    update kb_question q set vector = decode(u.vector, 'base64'), model = ${mark}, embedded = nextval('kb_question_embedded')
    from unnest(${entries}::uuid[], ${ns}::int[], ${said}::text[], ${vectors}::text[]) u (entry_id, n, said, vector)
    where q.tenant_id = ${TENANT} and q.entry_id = u.entry_id and q.n = u.n and q.said = u.said`,
);

/**
 * Gives each question its vector after it was written, so that writing never waits for a model. If the model or its dimensions
 * change, all vectors are made again. One process at a time, so that no text is embedded twice.
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
      await this.run();
    });
  }

  @Interval(1_000)
  tick(): Promise<void> {
    return this.job.tick();
  }

  /** @throws Error: the server does not answer */
  async run(): Promise<void> {
    // The first vector tells which model the server runs, and so which stored vectors are void.
    if (this.server.own) this.server.mark = SENTENCES;
    else if (this.server.mark === undefined) await this.server.measure(TIMEOUT_MS);
    const tenants = (await this.jobs.acrossTenants(TENANTS)).filter(({ id }) => !this.isDone(id, this.seen(id)));
    // The lock costs several statements, and the job runs every second.
    if (!tenants.length) return;
    await this.db.exclusively("parley embeddings", async () => {
      for (const { id } of tenants) await this.embedAll(system("knowledge", id, "live"));
    });
  }

  /** The version of the tenant's data, with the model of the vectors. Undefined while the version is unknown. */
  private seen(tenantId: string): string | undefined {
    const version = this.changes.version(tenantId, null);
    return version === null ? undefined : `${version} ${this.server.mark}`;
  }

  private isDone(tenantId: string, seen: string | undefined): boolean {
    return seen !== undefined && this.done.get(tenantId) === seen;
  }

  private async embedAll(caller: Caller): Promise<void> {
    while (!this.job.stopping) {
      const { mark } = this.server;
      const seen = this.seen(caller.tenantId);
      if (this.isDone(caller.tenantId, seen)) return;
      const due = await this.db.transaction(caller, (tx) => {
        tx.changesNothingVisible();
        return tx.query(FIND_DUE, { mark: mark! });
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
    await this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      await tx.query(WAIT_FOR_TURN);
      return tx.query(STORE, {
        mark,
        entries: due.map(({ entryId }) => entryId),
        ns: due.map(({ n }) => n),
        said: due.map(({ said }) => said),
        vectors: vectors.map((vector) => vector && bytesOf(vector).toString("base64")),
      });
    });
  }
}
