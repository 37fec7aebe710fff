import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { newAgent, start } from "../server/e2e/support.js";
import { deliver, notice, timeIn, trustLocalhost } from "../server/notices/support.js";
import { allowTimeForProcesses } from "../server/process/support.js";
import { PASSWORD, startApp, type TestApp, type TestTenant } from "../support/app.js";
import type { Client } from "../support/client.js";
import { Firefox, FIREFOX, MozillaPush, WITHOUT_FIREFOX } from "./firefox.js";

allowTimeForProcesses();

const PATIENT = { timeout: 60_000, interval: 100 };

describe.skipIf(!FIREFOX)(`notices that a real browser is pushed, and decrypts${WITHOUT_FIREFOX}`, () => {
  let push: MozillaPush;
  let app: TestApp;
  let tenant: TestTenant;
  /** The member whose browser it is. */
  let owner: Client;
  let me: string;
  let colleague: Client;
  let firefox: Firefox;
  beforeAll(async () => {
    trustLocalhost();
    push = await new MozillaPush().start();
    app = await startApp({ OUTBOUND_ALLOW: [`localhost:${push.port}`] });
    Object.assign(app.config, { PUBLIC_URL: app.baseUrl });
    tenant = await app.tenant("Harbour Books");
    owner = await tenant.owner();
    me = (await owner.get("/api/me", 200)).body.id;
    colleague = await newAgent(owner, [tenant.defaults.workspaceId]);
    firefox = await Firefox.open({
      "dom.push.serverURL": `ws://127.0.0.1:${push.linePort}/`,
      "dom.push.testing.allowInsecureServerURL": true,
      // As if the member had allowed them.
      "permissions.default.desktop-notification": 1,
      // Its own windows, which a test can click on.
      "alerts.useSystemBackend": false,
      "intl.accept_languages": "en-GB",
    });
    await firefox.goto(`${app.baseUrl}/settings/preferences`);
    await firefox.type("//label[.='Email']/following::input[1]", tenant.ownerEmail);
    await firefox.type("//label[.='Password']/following::input[1]", PASSWORD);
    await firefox.click("//button[.='Sign in']");
    await turnOn();
  });
  afterAll(async () => {
    await firefox?.close();
    await app?.close();
    await push?.close();
    vi.restoreAllMocks();
  });
  beforeEach(async () => {
    await owner.put("/api/me/preferences", {}, 200);
    await firefox.evaluate(`${NOTIFICATIONS}.then((all) => all.forEach((one) => one.close()))`);
    await expect.poll(titles, PATIENT).toEqual([]);
    push.answered.length = 0;
  });

  const NOTIFICATIONS = "navigator.serviceWorker.ready.then((ready) => ready.getNotifications())";
  const titles = () =>
    firefox.evaluate<string[]>(`${NOTIFICATIONS}.then((all) => all.map(({ title }) => title).sort())`);
  const subscriptions = async () => (await owner.get("/api/me/push-subscriptions", 200)).body.subscriptions;
  const turnOn = async (): Promise<void> => {
    await firefox.click("//button[.='Allow']");
    await firefox.find("//*[.='They are on, also while Parley is closed.']");
    await notice(app);
  };
  const open = (name: string, more: object = {}) =>
    start(tenant.live, tenant.defaults.workspaceId, { contact: { name }, ...more });
  const write = (id: string) =>
    tenant.live.post(`/api/conversations/${id}/messages`, { body: "Where is my *parcel*?" }, 201);
  const mine = async (name: string): Promise<string> => {
    const { id } = await open(name);
    await owner.post(`/api/conversations/${id}/assign`, { memberId: me }, 200);
    await write(id);
    return id;
  };
  const named = async (name: string): Promise<void> => {
    const { id } = await open(name);
    await colleague.post(`/api/conversations/${id}/notes`, { body: "Look, please", mentions: [me] }, 201);
  };
  const burning = async (name: string): Promise<void> => {
    const { id } = await open(name, { subject: "Fire in the warehouse" });
    await notice(app);
    await colleague.patch(`/api/conversations/${id}`, { priority: "urgent" }, 200);
  };

  test("show the one that the member asks for", async () => {
    await firefox.click("//button[.='Send me a notice']");
    await expect.poll(titles, PATIENT).toEqual(["Notices work on this device"]);
    expect((await subscriptions()).map(({ device }) => device)).toEqual(["Firefox on Linux"]);
  });

  test("tell of a message in a conversation of theirs, of a mention, and of what becomes urgent", async () => {
    await mine("Ida");
    await named("Noor");
    await burning("Una");
    await deliver(app);
    await expect
      .poll(titles, PATIENT)
      .toEqual(["Ida wrote to you", "Urgent: Una", "You are named in a note about Noor"]);
    expect(push.answered).toEqual([201, 201, 201]);
  });

  test("lead to their conversation by a click", async () => {
    const id = await mine("Clio");
    await deliver(app);
    await expect.poll(titles, PATIENT).toEqual(["Clio wrote to you"]);
    await expect
      .poll(
        () =>
          firefox.inBrowser<boolean>(`{
            const texts = [...Services.wm.getEnumerator("alert:alert")].flatMap(({ document }) => [
              ...document.querySelectorAll("#alertTitleLabel"),
            ]);
            const text = texts.find(({ value }) => value === "Clio wrote to you");
            text?.dispatchEvent(new text.ownerDocument.defaultView.MouseEvent("click", { bubbles: true }));
            return text !== undefined;
          }`),
        PATIENT,
      )
      .toBe(true);
    await expect.poll(() => firefox.evaluate("location.pathname"), PATIENT).toBe(`/inbox/all/${id}`);
  });

  test("are not pushed in quiet hours, and are again after them", async () => {
    const quietHours = { from: timeIn("UTC", -60), to: timeIn("UTC", 60), timeZone: "UTC" };
    await owner.put("/api/me/preferences", { quietHours }, 200);
    await mine("Quiet");
    await named("Silent");
    await burning("Still");
    await deliver(app);
    expect(push.answered).toEqual([]);
    await owner.put("/api/me/preferences", {}, 200);
    await mine("Loud");
    await deliver(app);
    await expect.poll(titles, PATIENT).toEqual(["Loud wrote to you"]);
  });

  test("end when the member turns them off, and when the browser has forgotten them", async () => {
    await firefox.goto(`${app.baseUrl}/settings/preferences`);
    await firefox.click("//button[.='Turn off']");
    await firefox.find("//*[.='They are off.']");
    await expect.poll(() => push.channels.size, PATIENT).toBe(0);
    await expect.poll(subscriptions, PATIENT).toEqual([]);
    await mine("Unheard");
    await deliver(app);
    expect(push.answered).toEqual([]);

    await turnOn();
    expect(await subscriptions()).toHaveLength(1);
    await firefox.evaluate(
      "navigator.serviceWorker.ready.then(({ pushManager }) => pushManager.getSubscription()).then((one) => one.unsubscribe())",
    );
    await expect.poll(() => push.channels.size, PATIENT).toBe(0);
    await mine("Gone");
    await deliver(app);
    expect(push.answered).toEqual([410]);
    expect(await subscriptions()).toEqual([]);
    expect(await titles()).toEqual([]);
  });
});
