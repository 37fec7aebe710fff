// Takes the pictures of docs/screens.md: starts the demo in a folder of its own, adds what a company has after a while, and shows
// each screen light and dark, on a wide screen and on a phone. Needs Chromium, and takes a few minutes.
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Secret, TOTP } from "otpauth";
import { chromium } from "playwright-core";

const root = path.resolve(import.meta.dirname, "..");
const target = path.join(root, "docs/images");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const PORT = process.env.PORT ?? "3055";
const PASSWORD = "pictures of the desk";
/** A member whose sign-in has a second step. */
const TWO_STEPS = "noor@demo.example";
const VIEWS = [
  ["wide", { width: 1280, height: 800 }, "light"],
  ["wide", { width: 1280, height: 800 }, "dark"],
  ["phone", { width: 390, height: 844 }, "light"],
  ["phone", { width: 390, height: 844 }, "dark"],
];

/** A full hour, some days from now. */
const on = (days, hour) => new Date(new Date(Date.now() + days * 86_400_000).setHours(hour, 0, 0, 0)).toISOString();

const NAMES = [
  "Ada Lovelace",
  "Grace Hopper",
  "Katherine Johnson",
  "Emmy Noether",
  "Hedy Lamarr",
  "Alan Turing",
  "Mary Somerville",
  "Sofja Kowalewskaja",
  "Fatima al-Fihri",
  "Srinivasa Ramanujan",
];
const QUESTIONS = [
  "One more thing: can I have the invoice on paper?",
  "I still see the charge on my account. When does it go away?",
  "Could you book the same driver for Friday?",
  "Thank you! Is breakfast included?",
  "Can my sister come along?",
  "Who can I call about this?",
];

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "parley-pictures-"));
const server = spawn(process.execPath, [path.join(root, "dist/src/main.js")], {
  cwd: folder,
  env: { ...process.env, PORT, HOST: "127.0.0.1", DATA_DIR: path.join(folder, "data") },
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const { email, password, key } = await demo();
  const baseUrl = `http://localhost:${PORT}`;
  const live = await client(baseUrl, "live", { email, password });
  const integration = caller(baseUrl, "live", key);
  const test = await client(baseUrl, "test", { email, password });
  await addAuthenticator(baseUrl, live);
  const screens = [...(await fill(live, integration)), ...(await fillTest(test))];
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  for (const view of VIEWS) await take(browser, baseUrl, { email, password }, view, screens);
  await browser.close();
} finally {
  server.kill("SIGTERM");
  await new Promise((resolve) => server.once("exit", resolve));
  fs.rmSync(folder, { recursive: true, force: true });
}

/** The sign-in that the demo prints once it is complete. */
function demo() {
  return new Promise((resolve, reject) => {
    let printed = "";
    server.stdout.on("data", (chunk) => {
      printed += chunk;
      const [, email, password, key] = /Sign in as\s+(\S+)\s+password (\S+)[^]*Live key\s+(\S+)/.exec(printed) ?? [];
      if (key && printed.includes("Try it:")) resolve({ email, password, key });
    });
    server.once("exit", (code) => reject(new Error(`The server ended with ${code}`)));
  });
}

/** Calls the API as a member of one side. */
async function client(baseUrl, environment, credentials) {
  const { accessToken } = await caller(baseUrl, environment).post("/auth/login", { ...credentials, environment });
  return caller(baseUrl, environment, accessToken);
}

function caller(baseUrl, environment, token) {
  const send = async (method, at, body) => {
    const response = await fetch(`${baseUrl}/api${at}`, {
      method,
      headers: {
        ...(body && { "Content-Type": "application/json" }),
        ...(token && { Authorization: `Bearer ${token}` }),
        "X-Environment": environment,
      },
      body: body && JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${at}: ${response.status} ${answer.error}`);
    return answer;
  };
  const call = (method) => (at, body) => send(method, at, body);
  return { get: call("GET"), post: call("POST"), put: call("PUT"), patch: call("PATCH") };
}

async function addAuthenticator(baseUrl, { post }) {
  await post("/members", { email: TWO_STEPS, name: "Noor Haddad", role: "admin", password: PASSWORD });
  const member = await client(baseUrl, "live", { email: TWO_STEPS, password: PASSWORD });
  const { id, totp } = await member.post("/me/second-factors", { type: "totp", name: "Phone" });
  const code = new TOTP({ secret: Secret.fromBase32(totp.secret) }).generate();
  await member.post(`/me/second-factors/${id}/confirm`, { code });
}

/** What a company has after a while, beside the demo. @returns the screens of the live side */
async function fill({ get, post, put, patch }, integration) {
  const me = await get("/me");
  const [workspace] = await get("/workspaces");
  const workspaceId = workspace.id;
  await patch(`/members/${me.id}`, { name: "Olivia Owner" });
  const [mara] = await Promise.all([
    post("/members", {
      email: "mara@demo.example",
      name: "Mara Weber",
      role: "agent",
      workspaceIds: [workspaceId],
      password: PASSWORD,
    }),
    post("/members", {
      email: "tom@demo.example",
      name: "Tom Baker",
      role: "observer",
      workspaceIds: [workspaceId],
      password: PASSWORD,
    }),
  ]);
  for (const [name, colour] of [
    ["vip", "purple"],
    ["fraud", "red"],
    ["travel", "teal"],
    ["refund", "orange"],
  ])
    await post("/labels", { name, colour });
  const { data: all } = await get("/conversations?status=open&limit=20");
  const open = [];
  for (const one of all) {
    const { data } = await get(`/conversations/${one.id}/messages?limit=50`);
    open.push({ ...one, messages: data });
  }
  open.sort((one, other) => other.messages.length - one.messages.length);
  const [first, second, third, fourth, fifth] = open;
  for (const [i, name] of NAMES.entries()) if (open[i]) await patch(`/contacts/${open[i].contactId}`, { name });
  for (const [i, body] of QUESTIONS.entries())
    if (open[i]) await integration.post(`/conversations/${open[i].id}/messages`, { body });
  await post(`/conversations/${first.id}/take-over`, {});
  await post(`/conversations/${first.id}/labels`, { add: ["vip", "travel"] });
  await post(`/conversations/${first.id}/notes`, { body: "Asked the hotel. They call back before five." });
  await patch(`/conversations/${second.id}`, { priority: "urgent" });
  await post(`/conversations/${second.id}/labels`, { add: ["fraud"] });
  if (third) await post(`/conversations/${third.id}/assign`, { memberId: mara.id });
  if (fourth) await post(`/conversations/${fourth.id}/labels`, { add: ["travel"] });
  if (fifth) await post(`/conversations/${fifth.id}/snooze`, { until: on(1, 9) });
  await post("/views", { name: "VIPs who wait", filter: { label: "vip" }, shared: true });
  const account = await post("/accounts", {
    name: "Lakeside Bank",
    domains: ["lakeside.example"],
    industry: "Banking",
    plan: "Gold",
  });
  await post("/accounts", {
    name: "Mile High Taxi",
    domains: ["milehigh.example"],
    industry: "Transport",
    plan: "Silver",
  });
  await put(`/contacts/${first.contactId}/account`, { accountId: account.id });
  await patch(`/contacts/${first.contactId}`, { phones: ["+442079460018"], language: "en", labels: ["vip"] });
  const one = await post("/cases", {
    workspaceId,
    title: "A card was charged twice",
    contactId: first.contactId,
    conversationIds: [first.id],
    priority: "high",
    assigneeId: me.id,
    dueAt: on(2, 17),
  });
  await patch(`/cases/${one.id}`, { status: "in_progress" });
  await post("/cases", {
    workspaceId,
    title: "The taxi came an hour late",
    contactId: second.contactId,
    priority: "medium",
    assigneeId: mara.id,
  });
  await post("/cases", {
    workspaceId,
    title: "The statement of March is missing",
    contactId: first.contactId,
    priority: "low",
  });
  await patch("/tenant", { webhooksPreview: true });
  await post("/webhook-endpoints", {
    url: "https://hooks.example.com/parley",
    events: ["message.received", "conversation.resolved"],
  });
  await post("/api-keys", { name: "Search on our site", scopes: ["kb:read"] });
  for (const entry of [
    {
      question: "Can I order a second card?",
      answer: "Yes. It is **free** in the first year.",
      alternateQuestions: ["A card for my partner?"],
    },
    { question: "How long does a transfer take?", answer: "One working day within the country." },
  ])
    await post(`/workspaces/${workspaceId}/kb-entries`, { ...entry, status: "pending" });
  await post(`/workspaces/${workspaceId}/kb-widgets`, {
    name: "Help page",
    allowedOrigins: ["https://www.example.com"],
  });
  await post(`/workspaces/${workspaceId}/contact-form-widgets`, {
    name: "Contact us",
    allowedOrigins: ["https://www.example.com"],
  });
  for (const { id } of [second, third].filter(Boolean))
    await post(`/conversations/${id}/verification/questions`, {}).catch(() => undefined);
  const [agent] = await get("/agents");
  const channels = await get(`/workspaces/${workspaceId}/channels`);
  const setting = `/settings/workspaces/${workspaceId}`;
  return [
    ["inbox", `/inbox/all/${first.id}`],
    ["inbox-list", "/inbox/waiting"],
    ["attention", "/attention"],
    ["approvals", "/approvals"],
    ["search", "/search?q=hotel"],
    ["contacts", "/contacts"],
    ["contact", `/contacts/${first.contactId}`],
    ["accounts", "/accounts"],
    ["account", `/accounts/${account.id}`],
    ["cases", "/cases"],
    ["case", `/cases/${one.id}`],
    ["knowledge", "/knowledge"],
    ["knowledge-in-use", "/knowledge?show=approved"],
    ["policies", "/policies?show=approved"],
    ["quality", "/quality"],
    ["reports", "/reports?type=first-reply"],
    ...["profile", "preferences", "password", "second-factor", "sessions", "members", "labels", "workspaces"].map(
      settings,
    ),
    ["workspace", setting],
    ["assistant", `${setting}/assistant`],
    ["survey", `${setting}/survey`],
    ["verification", `${setting}/verification`],
    ["breakers", `${setting}/breakers`],
    ...["canned-replies", "channels"].map(settings),
    ["channel", `/settings/channels/${channels.find(({ type }) => type === "webchat").id}`],
    ["new-channel", "/settings/channels/new"],
    ...["widgets", "agents"].map(settings),
    ["agent", `/settings/agents/${agent.id}`],
    ...["api-access", "webhooks", "audit-log", "security-log"].map(settings),
  ].map(([name, at]) => ({ name, at, side: "live" }));
}
function settings(section) {
  return [section, `/settings/${section}`];
}

/** A calendar, which nothing outside has to answer for on the test side, and mails that did not leave. */
async function fillTest({ get, post }) {
  const [{ id: workspaceId }] = await get("/workspaces");
  const { data } = await get("/conversations?limit=3");
  const connection = {
    workspaceId,
    serverUrl: "https://dav.example.com",
    username: "desk@example.com",
    password: PASSWORD,
  };
  const { id } = await post("/calendar/connections", connection);
  const [{ id: calendarId }] = await get(`/calendar/connections/${id}/calendars`);
  for (const [day, hour, title, location] of [
    [1, 10, "Call about the loan", "By phone"],
    [1, 14, "Signing", "Branch at the lake"],
    [4, 9, "First meeting", "Branch at the lake"],
  ]) {
    const startsAt = on(day, hour);
    const endsAt = on(day, hour + 1);
    await post("/calendar/bookings", {
      calendarId,
      conversationId: data[0].id,
      title,
      location,
      startsAt,
      endsAt,
      force: true,
    });
  }
  await post("/members", { email: "mia@demo.example", name: "Mia Marsh", role: "agent", workspaceIds: [workspaceId] });
  return [
    { name: "calendar", at: "/calendar", side: "test" },
    { name: "captured-messages", at: "/settings/captured-messages", side: "test" },
  ];
}

async function take(browser, baseUrl, { email, password }, [width, viewport, colorScheme], screens) {
  const context = await browser.newContext({ viewport, colorScheme, locale: "en-GB", hasTouch: width === "phone" });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  const picture = async (name) => {
    // Skeletons and transitions have ended.
    await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
    await page.waitForTimeout(700);
    const { data } = await cdp.send("Page.captureScreenshot", { format: "webp", quality: 60 });
    fs.writeFileSync(path.join(target, `screen-${name}-${width}-${colorScheme}.webp`), Buffer.from(data, "base64"));
  };
  await page.goto(baseUrl);
  await page.getByLabel("Email").waitFor();
  await picture("sign-in");
  // The pages of mailed links show their form before they know the token.
  for (const name of ["invitation", "password-reset"]) {
    await page.goto(`${baseUrl}/${name}#${"x".repeat(86)}`);
    await page.getByLabel("New password").waitFor();
    await picture(name);
  }
  await page.goto(baseUrl);
  await page.getByLabel("Email").fill(TWO_STEPS);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByLabel("Password").waitFor({ state: "detached" });
  await picture("second-step");
  for (const side of ["live", "test"]) {
    await page.evaluate(`sessionStorage["parley.environment"] = "${side}"`);
    await page.goto(`${baseUrl}/settings/profile`);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    for (const { name, at } of screens.filter((one) => one.side === side)) {
      await page.goto(baseUrl + at);
      await page.locator("h1").first().waitFor();
      await picture(name);
    }
  }
  await context.close();
}
