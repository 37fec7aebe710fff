import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PASSWORD } from "../support/app.js";
import type { Answer, Client } from "../support/client.js";
import { concurrently, on, startTwo, tally, type TwoNodes } from "./support.js";

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

describe("sign-in", () => {
  const guess = (n: number, email: string, password: string) =>
    [nodes.a, nodes.b][n % 2]!.client().post("/api/auth/login", { email, password });
  const endWindow = () => nodes.a.db.query(`update login_attempt set started_at = started_at - interval '15 minutes'`);

  test("evaluates ten of a hundred concurrent wrong guesses; the rest, and the right password, get 429 until the window ends", async () => {
    const { ownerEmail } = await nodes.a.tenant();
    const answers = await concurrently(100, (n) =>
      guess(n, n % 3 ? ownerEmail : ownerEmail.toUpperCase(), `guess number ${n}`),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 401: 10, 429: 90 });
    for (const { headers } of answers.filter(({ status }) => status === 429)) {
      expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
      expect(Number(headers.get("Retry-After"))).toBeLessThanOrEqual(900);
    }
    const right = await guess(0, ownerEmail, PASSWORD);
    expect([right.status, right.body.error]).toEqual([429, expect.stringMatching(/./)]);
    const other = await nodes.a.tenant();
    expect((await guess(0, other.ownerEmail, PASSWORD)).status).toBe(200);

    await endWindow();
    expect((await guess(1, ownerEmail, PASSWORD)).status).toBe(200);
  });

  test("limits attempts for an unknown email in the same way", async () => {
    const email = `${randomUUID()}@example.com`;
    expect(tally((await concurrently(12, (n) => guess(n, email, "guess"))).map(({ status }) => status))).toEqual({
      401: 10,
      429: 2,
    });
  });

  test("resets the count after the right password", async () => {
    const { ownerEmail } = await nodes.a.tenant();
    for (let round = 0; round < 2; round++) {
      for (let n = 0; n < 9; n++) expect((await guess(n, ownerEmail, "wrong")).status).toBe(401);
      expect((await guess(round, ownerEmail, PASSWORD)).status).toBe(200);
    }
  });
});
