import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";

let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
});
afterAll(() => app.close());

const PATH = "/api/me/preferences";
const DEFAULTS = {
  theme: "system",
  language: null,
  shortcuts: true,
  notifications: { mine: true, mentions: true, urgent: true, unassigned: false },
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
  [{ notifications: { all: true } }, "notifications.property all should not exist"],
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
