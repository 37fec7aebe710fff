import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SessionVerifier } from "../../../src/auth/sessions/session.verifier.js";
import { anId, aTime } from "../e2e/support.js";
import { PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { connect } from "../../support/database.js";
import { eventually } from "../../support/eventually.js";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe("sessions", () => {
  let tenant: TestTenant;
  let owner: Client;
  beforeAll(async () => {
    tenant = await app.tenant();
    owner = await tenant.owner();
  });

  const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";

  async function member(role = "agent"): Promise<{ id: string; login: (userAgent?: string) => Promise<Client> }> {
    const email = `${randomUUID()}@example.com`;
    const { body } = await owner.post("/api/members", { email, name: role, role, password: PASSWORD }, 201);
    const login = async (userAgent = FIREFOX): Promise<Client> => {
      const headers = { "user-agent": userAgent };
      const signedIn = await app
        .client()
        .post<{ accessToken: string }>("/api/auth/login", { email, password: PASSWORD }, 200, { headers });
      return app.client(signedIn.body.accessToken);
    };
    return { id: body.id, login };
  }
  const sessionsOf = async (client: Client) => (await client.get("/api/me/sessions", 200)).body.data;
  const statusOf = async (client: Client): Promise<number> => (await client.get("/api/me")).status;

  describe("the list of one's own sessions", () => {
    test("has each session with its device, address and times, and says which one is used now", async () => {
      const { login } = await member();
      const [first, second] = [await login(), await login("curl/8.5.0")];
      expect(await sessionsOf(second)).toEqual([
        {
          id: anId,
          current: true,
          environment: "live",
          device: "curl",
          address: "127.0.0.1",
          createdAt: aTime,
          lastUsedAt: aTime,
          expiresAt: aTime,
        },
        expect.objectContaining({ current: false, device: "Firefox on Linux" }),
      ]);
      expect((await sessionsOf(first)).find(({ current }) => current)).toMatchObject({ device: "Firefox on Linux" });
    });

    test.each([
      [FIREFOX, "Firefox on Linux"],
      [
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0",
        "Edge on Windows",
      ],
      [
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
        "Safari on macOS",
      ],
      [
        "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36",
        "Chrome on Android",
      ],
      [
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0 Mobile/15E148 Safari/604.1",
        "Chrome on iPhone",
      ],
      ["python-requests/2.32", "python-requests"],
      ["<script>alert(1)</script>", "Unknown device"],
      ["x".repeat(4_000), "Unknown device"],
    ])("names the device of %s", async (userAgent, device) => {
      const { login } = await member();
      expect((await sessionsOf(await login(userAgent)))[0]!.device).toBe(device);
    });

    test("shows when a session was last used, to about a minute", async () => {
      const { login } = await member();
      const [client, other] = [await login(), await login()];
      const lastUse = async () => Date.parse((await sessionsOf(other)).find(({ current }) => !current)!.lastUsedAt);
      await app.db.query("update member_session set last_used_at = now() - interval '1 hour'");
      expect(await lastUse()).toBeLessThan(Date.now() - 3_000_000);
      await client.get("/api/me", 200);
      const holder = await connect(app.db.url);
      try {
        await holder.query("begin");
        await holder.query("select from member_session for update");
        // What the first one has begun to write is written as well when the second one is done.
        const notes = [app.app.get(SessionVerifier).noteSeen(), app.app.get(SessionVerifier).noteSeen()];
        let isDone = false;
        void notes[1]!.then(() => (isDone = true));
        await eventually(async () =>
          expect(
            await app.db.query(
              "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
            ),
          ).not.toEqual([]),
        );
        expect(isDone).toBe(false);
        await holder.query("commit");
        await Promise.all(notes);
      } finally {
        await holder.end();
      }
      expect(await lastUse()).toBeGreaterThan(Date.now() - 60_000);
    });

    test("leaves out sessions that have ended or expired, and those of other members", async () => {
      const { login } = await member();
      const [current, ended, expired] = [await login(), await login(), await login()];
      await ended.post("/api/auth/logout", undefined, 200);
      const id = (await sessionsOf(expired)).find((session) => session.current)!.id;
      await app.db.query("update member_session set expires_at = now() - interval '1 second' where id = $1", [id]);
      expect(await sessionsOf(current)).toHaveLength(1);
    });
  });

  describe("ending sessions", () => {
    test("a member ends one of their own sessions, and it is refused at once", async () => {
      const { login } = await member();
      const [client, lost] = [await login(), await login()];
      const { id } = (await sessionsOf(client)).find(({ current }) => !current)!;
      await client.delete(`/api/me/sessions/${id}`, 200);
      expect([await statusOf(lost), await statusOf(client)]).toEqual([401, 200]);
      await client.delete(`/api/me/sessions/${id}`, 404);
    });

    test("a member cannot end another member's session: it is 404, as for one that does not exist", async () => {
      const client = await (await member()).login();
      const other = await (await member()).login();
      const { id } = (await sessionsOf(other))[0]!;
      const answer = await client.delete(`/api/me/sessions/${id}`, 404);
      expect(answer.text).toBe((await client.delete(`/api/me/sessions/${randomUUID()}`, 404)).text);
      expect(await statusOf(other)).toBe(200);
    });

    test("a member ends all others at once, and keeps this one", async () => {
      const { login } = await member();
      const clients = [await login(), await login(), await login()];
      const bystander = await (await member()).login();
      await clients[1]!.delete("/api/me/sessions", 200);
      expect(await Promise.all([...clients, bystander].map(statusOf))).toEqual([401, 200, 401, 200]);
      const entries = await app.db.query("select fields from audit_entry where action = 'me.endOtherSessions'");
      expect(entries).toEqual([{ fields: ["endedAt"] }, { fields: ["endedAt"] }]);
    });

    test("an admin ends all sessions of a member; the member can sign in again", async () => {
      const admin = await (await member("admin")).login();
      const { id, login } = await member();
      const clients = [await login(), await login()];
      await admin.delete(`/api/members/${id}/sessions`, 200);
      expect(await Promise.all([...clients, admin].map(statusOf))).toEqual([401, 401, 200]);
      expect(await statusOf(await login())).toBe(200);
      const { data } = (await owner.get(`/api/security-log?memberId=${id}&type=session_ended`, 200)).body;
      expect(data.map(({ actor }) => actor.kind)).toEqual(["member", "member"]);
    });

    test("only an owner ends an owner's sessions", async () => {
      const admin = await (await member("admin")).login();
      const second = await member("owner");
      const client = await second.login();
      await admin.delete(`/api/members/${second.id}/sessions`, 403);
      expect(await statusOf(client)).toBe(200);
      await owner.delete(`/api/members/${second.id}/sessions`, 200);
      expect(await statusOf(client)).toBe(401);
    });
  });
});

describe("preferences", () => {
  let tenant: TestTenant;
  beforeAll(async () => {
    tenant = await app.tenant();
  });

  const PATH = "/api/me/preferences";
  const DEFAULTS = {
    theme: "system",
    language: null,
    shortcuts: true,
    notifications: { mine: true, mentions: true, mailMentions: false, urgent: true, unassigned: false },
    sound: false,
    quietHours: null,
    sendWith: "modEnter",
    undoSeconds: 10,
    afterResolve: "stay",
  };

  test("a member has the defaults, then what they set, on both sides; each time it is replaced as a whole", async () => {
    const [live, onTest] = [await tenant.owner(), await tenant.owner("test")];
    expect((await live.get(PATH, 200)).body).toEqual(DEFAULTS);
    const quietHours = { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" };
    const chosen = { theme: "dark", language: "de", shortcuts: false, notifications: { mine: false }, quietHours };
    const set = { ...DEFAULTS, ...chosen, notifications: { ...DEFAULTS.notifications, mine: false } };
    expect((await live.put(PATH, chosen, 200)).body).toEqual(set);
    expect((await onTest.get(PATH, 200)).body).toEqual(set);
    expect((await onTest.put(PATH, { sound: true }, 200)).body).toEqual({ ...DEFAULTS, sound: true });
    expect((await live.get(PATH, 200)).body).toEqual({ ...DEFAULTS, sound: true });
  });

  test("a field that was added later has its default", async () => {
    const live = await tenant.owner();
    await live.put(PATH, { theme: "light" }, 200);
    await app.db.query("update member_preferences set value = value #- '{notifications,urgent}' #- '{afterResolve}'");
    expect((await live.get(PATH, 200)).body).toEqual({ ...DEFAULTS, theme: "light" });
  });

  test("another member has their own", async () => {
    const other = await app.tenant();
    await (await tenant.owner()).put(PATH, { theme: "dark" }, 200);
    expect((await (await other.owner()).get(PATH, 200)).body).toEqual(DEFAULTS);
  });

  test.each([
    [{ colour: "blue" }, "property colour should not exist"],
    [{ theme: "pink" }, "theme"],
    [{ language: "Klingon" }, "language"],
    [{ notifications: { all: true } }, "property notifications.all should not exist"],
    [{ notifications: null }, "notifications"],
    [{ quietHours: { from: "25:00", to: "07:00", timeZone: "Europe/Berlin" } }, "from must be a time of day"],
    [{ quietHours: { from: "22:00", to: "07:00", timeZone: "Berlin" } }, "timeZone"],
    [{ undoSeconds: 61 }, "undoSeconds"],
  ])("%j is refused, and says why", async (body, word) => {
    const live = await tenant.owner();
    const before = (await live.get(PATH, 200)).body;
    expect((await live.put(PATH, body, 400)).body.error).toContain(word);
    expect((await live.get(PATH, 200)).body).toEqual(before);
  });
});
