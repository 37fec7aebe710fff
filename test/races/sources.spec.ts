import { afterAll, beforeAll, expect, test } from "vitest";
import { SourcesJob } from "../../src/knowledge/sources/sources.job.js";
import { newWorkspace } from "../server/e2e/support.js";
import { page, pendingOf, type Site, startSite } from "../server/sources/support.js";
import { controlOf, type TestTenant } from "../support/app.js";
import { runs } from "../support/seed.js";
import { on, startTwo, type TwoNodes } from "./support.js";

// Two readings of one source at once cannot happen, and what is read twice is proposed once.

const ROUNDS = runs(3, 10);

let nodes: TwoNodes;
let tenant: TestTenant;
let site: Site;
beforeAll(async () => {
  site = await startSite();
  nodes = await startTwo({ OUTBOUND_ALLOW: [`127.0.0.1:${site.port}`] });
  tenant = await nodes.a.tenant();
});
afterAll(async () => {
  await nodes.close();
  await site.close();
});

const tickBoth = () => Promise.all([nodes.a, nodes.b].map(({ app }) => app.get(SourcesJob).tick()));

test("of several requests to read, one succeeds, and one process reads", async () => {
  const clients = [tenant.live, on(nodes.b, tenant.live)];
  for (let round = 0; round < ROUNDS; round++) {
    const { id: workspaceId } = await newWorkspace(tenant.live, tenant.defaults.brandId);
    site.pages = { "/": page({ "Can I return it?": "You can send it back within thirty days." }) };
    const { body } = await tenant.live.post(
      `/api/workspaces/${workspaceId}/sources`,
      { kind: "website", url: site.url() },
      201,
    );
    await tickBoth();
    site.asked = [];
    const answers = await Promise.all(
      [0, 1, 2, 3].map((i) => clients[i % 2]!.post(`/api/sources/${body.id}/read`, undefined)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    await tickBoth();
    expect(site.asked.filter((path) => path === "/robots.txt")).toHaveLength(1);
    expect(await pendingOf(tenant.live, workspaceId)).toHaveLength(1);
  }
});

test("a reading whose lease ran out proposes nothing: only the one whose turn it is does", async () => {
  const { id: workspaceId } = await newWorkspace(tenant.live, tenant.defaults.brandId);
  let hold: (() => void) | undefined;
  let held = true;
  site.pages = {
    "/": (_, response) => {
      const answer = (): void => {
        response.writeHead(200, { "content-type": "text/html" });
        response.end(page({ "Can I return it?": "You can send it back within thirty days." }));
      };
      if (!held) return answer();
      held = false;
      hold = answer;
    },
  };
  const { body } = await tenant.live.post(
    `/api/workspaces/${workspaceId}/sources`,
    { kind: "website", url: site.url() },
    201,
  );
  const first = nodes.a.app.get(SourcesJob).tick();
  await expect.poll(() => hold).toBeDefined();
  // A process that stands still prolongs neither its turn at the source nor that at the site.
  await nodes.a.db.query("update source_due set due_at = now() - interval '1 second'");
  await controlOf(nodes.a.db).query("update site_reading set ends_at = now() - interval '1 second'");
  await nodes.b.app.get(SourcesJob).tick();
  expect(await pendingOf(tenant.live, workspaceId)).toHaveLength(1);
  const { updatedAt } = (await tenant.live.get(`/api/sources/${body.id}`, 200)).body;
  hold!();
  await first;
  expect(await pendingOf(tenant.live, workspaceId)).toHaveLength(1);
  expect((await tenant.live.get(`/api/sources/${body.id}`, 200)).body).toMatchObject({ status: "ready", updatedAt });
});

test("an approval and a reading at once leave one entry in use, and at most one edit of it", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id: workspaceId } = await newWorkspace(tenant.live, tenant.defaults.brandId);
    site.pages = { "/": page({ "Can I return it?": "You can send it back within thirty days." }) };
    const { body } = await tenant.live.post(
      `/api/workspaces/${workspaceId}/sources`,
      { kind: "website", url: site.url() },
      201,
    );
    await tickBoth();
    const [first] = await pendingOf(tenant.live, workspaceId);
    site.pages = { "/": page({ "Can I return it?": "You can send it back within sixty days." }) };
    await tenant.live.post(`/api/sources/${body.id}/read`, undefined, 200);
    const [{ status }] = await Promise.all([
      tenant.live.post(`/api/kb-entries/${first!.id}/approve`, undefined),
      tickBoth(),
    ]);
    const [edit, ...others] = await pendingOf(tenant.live, workspaceId);
    expect(others).toEqual([]);
    expect(edit).toMatchObject(
      status === 200 ? { duplicateOfId: first!.id, replacesDuplicate: true } : { replacesDuplicate: false },
    );
  }
});

test("a source of a workspace that is deleted is not due again and again", async () => {
  const { id: workspaceId } = await newWorkspace(tenant.live, tenant.defaults.brandId);
  const { body } = await tenant.live.post(
    `/api/workspaces/${workspaceId}/sources`,
    { kind: "website", url: site.url() },
    201,
  );
  await (await tenant.owner()).delete(`/api/workspaces/${workspaceId}`, 200);
  site.asked = [];
  await tickBoth();
  // The rows of the workspace are deleted later.
  const due = await nodes.a.db.query("select from source_due where source_id = $1", [body.id]);
  expect([due, site.asked]).toEqual([[], []]);
});
