import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApp, type TestApp, type TestTenant } from "../../../support/app.js";
import { type AllowedActions, type Guidelines, subflowsOf, toPolicies } from "./convert.js";

const { ABCD_GUIDELINES, ABCD_KB } = process.env;
const read = <T>(file: string | URL): T => JSON.parse(fs.readFileSync(file, "utf8")) as T;

let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
});
afterAll(() => app.close());

/** A query that an operator might type, and the procedure that it should find. */
const ASKED: [string, string, string][] = [
  ["recovering a username", "Account Access", "Recover Username"],
  ["customer needs a new password", "Account Access", "Recover Password"],
  ["reset two factor authentification", "Account Access", "Reset Two-Factor Auth"],
  ["an item is missing", "Shipping Issue", "Missing Item"],
  ["cost of shiping", "Shipping Issue", "Shipping Cost"],
];

function runsOver(load: () => [Guidelines, AllowedActions]): void {
  test("is imported completely and searchable; each procedure allows its actions, requires verification after that step, and nothing else is allowed", async () => {
    const [guidelines, actions] = load();
    const {
      body: { id },
    } = await tenant.live.post("/api/workspaces", { name: "Shop", brandId: tenant.defaults.brandId }, 201);
    const policies = `/api/workspaces/${id}/policy-entries` as const;
    const content = toPolicies(guidelines, actions);
    expect((await tenant.live.post(`${policies}/import`, { format: "ndjson", content }, 200)).body).toMatchObject({
      imported: content.split("\n").length,
      failed: 0,
      errors: [],
    });

    for (const [q, flow, subflow] of ASKED) {
      const {
        body: { data: hits },
      } = await tenant.live.get(`${policies}/search?q=${encodeURIComponent(q)}&limit=3`, 200);
      expect(
        hits.map(({ entry }) => entry.title),
        q,
      ).toContain(`${flow}: ${subflow}`);
    }

    const all = [...new Set(Object.values(actions).flat())];
    for (const { key, flow, subflow, tools } of subflowsOf(guidelines, actions)) {
      const others = all.filter((tool) => !tools.includes(tool)).slice(0, 3);
      for (const tool of [...tools, ...others]) {
        const { body } = await tenant.live.post(`${policies}/evaluate`, { tool, context: { subflow: key } }, 200);
        const proof = tools.indexOf("verify-identity");
        const after = proof >= 0 && tools.indexOf(tool) > proof;
        expect([key, tool, body.effect, body.requiredAssuranceLevel]).toEqual([
          key,
          tool,
          tools.includes(tool) ? "allow" : "deny",
          after ? "identified" : null,
        ]);
        expect(body.reason).toBe(
          tools.includes(tool)
            ? `${body.applying[0]!.title}: subflow is "${key}"`
            : "No action without a procedure: It always applies",
        );
        if (tools.includes(tool)) expect(body.applying.map(({ title }) => title)).toContain(`${flow}: ${subflow}`);
      }
    }
    const { body } = await tenant.live.post(`${policies}/evaluate`, { tool: all[0] }, 200);
    expect(body).toMatchObject({ effect: "deny", applying: [{ title: "No action without a procedure" }] });
    expect(body.notApplying[0]!.why).toEqual(["subflow is missing"]);
  });
}

describe("an excerpt of a shop's guidelines", () => {
  runsOver(() => [
    read(new URL("guidelines-excerpt.json", import.meta.url)),
    read(new URL("kb-excerpt.json", import.meta.url)),
  ]);
});

describe.skipIf(!ABCD_GUIDELINES || !ABCD_KB)("all of the shop's guidelines (ABCD_GUIDELINES, ABCD_KB)", () => {
  runsOver(() => [read(ABCD_GUIDELINES!), read(ABCD_KB!)]);
  test("contain 55 procedures", () => {
    expect(subflowsOf(read(ABCD_GUIDELINES!), read(ABCD_KB!))).toHaveLength(55);
  });
});
