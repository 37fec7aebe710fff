import { afterAll, beforeAll, expect, test } from "vitest";
import { EmbeddingsService } from "../../src/knowledge/kb-entries/embeddings.service.js";
import { system } from "../../src/platform/caller/caller.js";
import { Servers } from "../../src/platform/database/servers.js";
import type { TestTenant } from "../support/app.js";
import { connect } from "../support/database.js";
import { on, startTwo, type TwoNodes, until, untilWaiting } from "./support.js";

let nodes: TwoNodes;
let tenant: TestTenant;
beforeAll(async () => {
  nodes = await startTwo();
  tenant = await nodes.a.tenant();
});
afterAll(() => nodes.close());

test("a vector that was made first and is committed last is found, too, by a node that has read the other one", async () => {
  const { workspaceId } = tenant.defaults;
  const list = `/api/workspaces/${workspaceId}/kb-entries` as const;
  const create = async (said: string): Promise<{ entryId: string; n: number; said: string }> => ({
    entryId: (await tenant.live.post(list, { question: said, answer: "So." }, 201)).body.id,
    n: 1,
    said,
  });
  const found = async (q: string): Promise<string[]> =>
    (await on(nodes.b, tenant.live).get(`${list}/search?q=${encodeURIComponent(q)}`, 200)).body.data.map(
      ({ entry }) => entry.question,
    );
  const has = async ({ entryId }: { entryId: string }): Promise<boolean> =>
    (await nodes.a.db.query("select from kb_question where entry_id = $1 and vector is not null", [entryId])).length >
    0;
  // As if the first node had lost the connection that holds the job's lock, and gone on.
  const embed = (node: "a" | "b", due: Awaited<ReturnType<typeof create>>) =>
    nodes[node].app.get(EmbeddingsService)["embed"](system("knowledge", tenant.tenantId, "live"), [due]);

  const [slow, quick] = [await create("How do I get a refund?"), await create("What are your opening hours?")];
  const writer = await connect(nodes.a.db.url);
  try {
    await writer.query("begin");
    await writer.query("select from kb_question where entry_id = $1 for update", [slow.entryId]);
    const first = embed("a", slow);
    await untilWaiting(nodes.a.db, 1);
    const second = embed("b", quick);
    const waits = async (): Promise<boolean> =>
      (
        await nodes.a.db.query(
          `select from pg_locks where not granted and locktype = 'advisory'
            and database = (select oid from pg_database where datname = current_database())`,
        )
      ).length > 0;
    await until(
      async () => (await has(quick)) || (await waits()),
      "the second vector is stored or waits for the first",
    );
    await found("when are you there");
    await writer.query("commit");
    await Promise.all([first, second]);
  } finally {
    await writer.end();
  }
  // A vector that the node has missed stays missed, so asking again hides no fault. A busy machine may be too slow to load the model once.
  await until(
    async () => (await found("can you give me my money back"))[0] === "How do I get a refund?",
    "the first vector is found",
  );
});

test("a node asks for the job's lock where a vector may be missing, and not each second", async () => {
  const { locks } = nodes.a.app.get(Servers);
  const embeddings = nodes.a.app.get(EmbeddingsService);
  let asked = 0;
  const count = (): number => ++asked;
  locks.on("acquire", count);
  const run = async (): Promise<number> => {
    asked = 0;
    await embeddings.run();
    return asked;
  };
  await until(async () => (await run()) === 0, "nothing is due");
  const entry = { question: "Where are you?", answer: "In Berlin." };
  await tenant.live.post(`/api/workspaces/${tenant.defaults.workspaceId}/kb-entries`, entry, 201);
  expect(await run()).toBe(1);
  await until(async () => (await run()) === 0, "nothing is due any more");
  locks.off("acquire", count);
});
