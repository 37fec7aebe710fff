import { RehearsalJob } from "../../../src/learning/rehearsal/rehearsal.job.js";
import type { Schemas } from "../../support/api-types.js";
import type { TestApp } from "../../support/app.js";
import type { Client } from "../../support/client.js";

/** Makes all runs due, and plays them. */
export async function play(app: TestApp, node = app): Promise<void> {
  await app.db.query(`update assistant_test_due set due_at = now() - interval '1 second'`);
  await node.app.get(RehearsalJob).tick();
}

type Run = Schemas["AssistantTestRun"];
/** Starts a run of tests, or of a rehearsal, and plays it. */
export async function played(app: TestApp, owner: Client, workspaceId: string, body: object = {}): Promise<Run> {
  const started = await owner.post(`/api/workspaces/${workspaceId}/assistant-tests/run`, body, 201);
  return finished(app, owner, started.body);
}
export async function rehearsed(app: TestApp, owner: Client, workspaceId: string, draft: object): Promise<Run> {
  const started = await owner.post(`/api/workspaces/${workspaceId}/assistant-rehearsal`, { draft }, 201);
  return finished(app, owner, started.body);
}
async function finished(app: TestApp, owner: Client, { id }: Run): Promise<Run> {
  await play(app);
  return (await owner.get(`/api/assistant-tests/runs/${id}`, 200)).body;
}

export const makeTest = async (owner: Client, workspaceId: string, body: object): Promise<Schemas["AssistantTest"]> =>
  (await owner.post(`/api/workspaces/${workspaceId}/assistant-tests`, { name: "A test", ...body }, 201)).body;
