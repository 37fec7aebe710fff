import { randomUUID } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, vi } from "vitest";
import { PASSWORD, type TestApp } from "../../support/app.js";
import type { Answer, Client } from "../../support/client.js";

/** The code that an authenticator app with this secret shows, some steps of 30 seconds from now. */
export const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

/** Stops the clock of this process in the middle of a step, until the file has run: no step ends between two lines of a test. */
export function holdStep(): void {
  beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now: (Math.floor(Date.now() / 30_000) + 0.5) * 30_000 }));
  afterAll(() => void vi.useRealTimers());
}

export interface Person {
  id: string;
  email: string;
  client: Client;
}

/** A new member who is signed in. */
export async function person(owner: Client, role = "agent"): Promise<Person> {
  const email = `${randomUUID()}@example.com`;
  const { body } = await owner.post("/api/members", { email, name: "Grace", role, password: PASSWORD }, 201);
  return { id: body.id, email, client: await owner.as(undefined).login(email, PASSWORD) };
}

/** Adds an authenticator app. It is confirmed with the code of the step before, so the present one is still unused. */
export async function withApp(client: Client): Promise<{ id: string; secret: string }> {
  const { body } = await client.post("/api/me/second-factors", { type: "totp", name: "Phone" }, 201);
  const { secret } = body.totp!;
  const confirm = `/api/me/second-factors/${body.id}/confirm`;
  const step = (): number => Math.floor(Date.now() / 30_000);
  for (;;) {
    const before = step();
    const { status, text } = await client.send("POST", confirm, { code: codeOf(secret, -1) });
    if (status === 200) return { id: body.id, secret };
    // A step may end on the way. Then the code is one too old, and the next one is not.
    if (step() === before) throw new Error(`the app was not confirmed: ${status} ${text}`);
  }
}

export interface HalfSignedIn {
  token: string;
  methods: string[];
  passkeyOptions: object | null;
}

/** Signs in with the password of a member who has a second factor. */
export async function withPassword(app: TestApp, email: string): Promise<HalfSignedIn> {
  const { body } = await app.client().post("/api/auth/login", { email, password: PASSWORD }, 200);
  if (!("secondFactor" in body)) throw new Error("no second factor was asked for");
  return body.secondFactor;
}

/** The second half of a sign-in. */
export const complete = (app: TestApp, token: string, proof: object): Promise<Answer<{ accessToken: string }>> =>
  app.client().send("POST", "/api/auth/second-factor", { token, ...proof });
