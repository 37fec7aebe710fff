import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PASSWORD } from "../support/app.js";
import type { Answer, Client } from "../support/client.js";
import { on, startTwo, type TwoNodes } from "./support.js";

let nodes: TwoNodes;
beforeAll(async () => {
  nodes = await startTwo();
});
afterAll(() => nodes.close());

describe("the last owner", () => {
  interface Owner {
    id: string;
    client: Client;
  }

  /** Two owners of a new tenant. The second one is signed in on the other node. */
  async function twoOwners(): Promise<{ organisationId: string; owners: [Owner, Owner] }> {
    const tenant = await nodes.a.tenant();
    const first = await tenant.owner();
    const email = `${randomUUID()}@example.com`;
    const { body: second } = await first.post(
      "/api/members",
      { email, name: "Second", role: "owner", password: PASSWORD },
      201,
    );
    const { body: me } = await first.get("/api/me", 200);
    return {
      organisationId: tenant.tenantId,
      owners: [
        { id: me.id, client: first },
        { id: second.id, client: on(nodes.b, await first.login(email, PASSWORD)) },
      ],
    };
  }
  const demote = ({ client }: Owner, { id }: Owner): Promise<Answer> =>
    client.patch(`/api/members/${id}`, { role: "agent" });
  const remove = ({ client }: Owner, { id }: Owner): Promise<Answer> => client.delete(`/api/members/${id}`);
  const deactivate = ({ client }: Owner, { id }: Owner): Promise<Answer> =>
    client.patch(`/api/members/${id}`, { status: "deactivated" });

  const WAYS: [string, (a: Owner, b: Owner) => Promise<Answer>[]][] = [
    ["each demotes the other", (a, b) => [demote(a, b), demote(b, a)]],
    ["each removes the other", (a, b) => [remove(a, b), remove(b, a)]],
    ["each demotes themselves", (a, b) => [demote(a, a), demote(b, b)]],
    ["one removes and one demotes the other", (a, b) => [remove(a, b), demote(b, a)]],
    ["each deactivates the other", (a, b) => [deactivate(a, b), deactivate(b, a)]],
    ["one deactivates the other, who goes", (a, b) => [deactivate(a, b), remove(b, a)]],
  ];

  test("remains when two owners concurrently demote, remove or deactivate themselves or each other, in twelve rounds", async () => {
    for (let round = 0; round < 12; round++) {
      const [way, act] = WAYS[round % WAYS.length]!;
      const { organisationId, owners } = await twoOwners();
      const answers = await Promise.all(act(...owners));
      // The second request finds the last owner, or a caller who is no longer an owner or a member.
      expect([way, answers.map(({ status }) => status).sort()]).toEqual([
        way,
        [200, expect.toBeOneOf([401, 403, 404, 409])],
      ]);
      const left = await nodes.a.db.query(
        `select id from member where organisation_id = $1 and role = 'owner' and removed_at is null and deactivated_at is null`,
        [organisationId],
      );
      expect([way, left.length]).toEqual([way, 1]);
    }
  });
});
