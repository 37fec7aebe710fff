import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { person } from "../server/auth/second-factor-support.js";
import type { TestTenant } from "../support/app.js";
import type { Client } from "../support/client.js";
import { REVIEWED } from "../support/reviewed.js";
import { runs } from "../support/seed.js";
import { concurrently, on, startTwo, tally, type TwoNodes } from "./support.js";

let nodes: TwoNodes;
let tenant: TestTenant;
let list: `/api/workspaces/${string}/kb-entries`;
let members: Client[];
beforeAll(async () => {
  nodes = await startTwo();
  tenant = await nodes.a.tenant();
  list = `/api/workspaces/${tenant.defaults.workspaceId}/kb-entries`;
  const owner = await tenant.owner();
  members = [owner, (await person(owner, "admin")).client, (await person(owner, "admin")).client];
});
afterAll(() => nodes.close());

const node = (n: number) => on(n % 2 ? nodes.b : nodes.a, tenant.live);

test("a search on one node finds an entry as soon as another node has created it, and not after it was archived", async () => {
  const search = async (n: number, q: string): Promise<string[]> =>
    (await node(n).get(`${list}/search?q=${q}`, 200)).body.data.map(({ entry }) => entry.id);
  for (let n = 0; n < 4; n++) {
    const {
      body: { id },
    } = await node(n).post(list, { question: `Where is pavilion${n}?`, answer: "There." }, 201);
    expect(await search(n + 1, `pavilion${n}`)).toContain(id);
    await node(n + 1).post(`/api/kb-entries/${id}/archive`, undefined, 200);
    expect(await search(n, `pavilion${n}`)).not.toContain(id);
  }
});

describe.each(REVIEWED)("$kind", ({ kind, table, type, title, needed }) => {
  // Records each edit of an entry that is not pending.
  beforeAll(async () => {
    await nodes.a.db.query(`create table if not exists late_edit (id uuid);
      grant all on late_edit to public;
      create or replace function note_late_edit() returns trigger language plpgsql as $$ begin insert into late_edit values (new.id); return null; end $$;
      create trigger note_late_edit after update on ${table} for each row when (old.status <> 'pending' and new.version <> old.version) execute function note_late_edit()`);
  });
  const create = async (body: object) =>
    (
      await tenant.live.post(
        `/api/workspaces/${tenant.defaults.workspaceId}/${kind}`,
        { ...needed, status: "pending", ...body },
        201,
      )
    ).body;

  test("twelve concurrent edits and an approval on two nodes: each accepted edit creates a version, and no edit follows the approval", async () => {
    const { id } = await create({ [title]: "Zero?" });
    const edits = Array.from({ length: 12 }, (_, n) =>
      node(n).patch(`/api/${kind}/${id}`, { [title]: `Question ${n}?` }),
    );
    // The approval runs while the edits are in progress.
    await Promise.race(edits);
    expect((await node(1).post(`/api/${kind}/${id}/approve`)).status).toBe(200);
    const { 200: edited = 0, 409: refused = 0 } = tally((await Promise.all(edits)).map(({ status }) => status));
    expect([edited > 0, edited + refused]).toEqual([true, 12]);
    const taken = 1 + edited;
    expect(await nodes.a.db.query("select from late_edit where id = $1", [id])).toEqual([]);
    const versions = (await tenant.live.get(`/api/${kind}/${id}/versions?limit=100`, 200)).body.data;
    expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: taken }, (_, n) => taken - n));
    const { body: entry } = await tenant.live.get(`/api/${kind}/${id}`, 200);
    expect(entry).toMatchObject({
      status: "approved",
      version: taken,
      [title]: (versions[0] as Record<string, unknown>)[title],
    });
  });

  test("of twelve concurrent edits of one version on two nodes, one counts", async () => {
    const { id, version } = await create({ [title]: "Zero?" });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        node(n).patch(`/api/${kind}/${id}`, { [title]: `Question ${n}?`, ifVersion: version }),
      ),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 409: 11 });
    const { body: entry } = await tenant.live.get(`/api/${kind}/${id}`, 200);
    expect(entry).toMatchObject({
      version: 2,
      [title]: (answers.find(({ status }) => status === 200)!.body as Record<string, unknown>)[title],
    });
  });

  test("of two members who approve the version that they have read, and a third who edits it meanwhile, one succeeds", async () => {
    for (let round = 0; round < runs(6, 40); round++) {
      const { id, version } = await create({ [title]: "Zero?" });
      const path = `/api/${kind}/${id}` as const;
      const statuses = await concurrently(3, async (n) => {
        const member = on((n + round) % 2 ? nodes.b : nodes.a, members[(n + round) % members.length]!);
        return n === 1
          ? (await member.patch(path, { [title]: "One?", ifVersion: version })).status
          : (await member.post(`${path}/approve`, { ifVersion: version })).status;
      });
      expect(tally(statuses)).toEqual({ 200: 1, 409: 2 });
      const { body: entry } = await tenant.live.get(path, 200);
      expect(entry).toMatchObject(
        statuses[1] === 200
          ? { status: "pending", version: 2, [title]: "One?" }
          : { status: "approved", version: 1, [title]: "Zero?" },
      );
    }
  });

  test("concurrently approving, archiving and deleting an entry leaves no rows in the search index", async () => {
    let indexed = 0;
    // In a round the deletion may come first. Some approval has to come before one.
    for (let round = 0; round < runs(2, 5) || (indexed === 0 && round < 100); round++) {
      const { id } = await create({ [title]: `Round ${round}?` });
      const answers = await concurrently(9, (n) =>
        n % 3 === 0
          ? node(n).post(`/api/${kind}/${id}/approve`)
          : n % 3 === 1
            ? node(n).post(`/api/${kind}/${id}/archive`)
            : node(n).delete(`/api/${kind}/${id}`),
      );
      indexed += answers.filter(({ status }, n) => n % 3 === 0 && status === 200).length;
      expect(answers.filter(({ status }, n) => n % 3 === 2 && status === 200)).toHaveLength(1);
      expect(await nodes.a.db.query(`select from ${type}_posting where entry_id = $1`, [id])).toEqual([]);
    }
    expect(indexed).toBeGreaterThan(0);
  });
});
