import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from "node:crypto";
import dns from "node:dns/promises";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { vi } from "vitest";
import { NoticeDispatcher } from "../../../src/notices/dispatcher.job.js";
import { MentionMailsJob } from "../../../src/notices/mention-mails.job.js";
import { OutboxWorker } from "../../../src/platform/outbox/outbox.worker.js";
import type { TestApp } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { OF_LOCALHOST } from "../security/certificate.js";

interface Pushed {
  headers: Record<string, string>;
  bytes: number;
  notice: { title: string; body?: string; tag: string; path: string };
  /** What the token of the request claims, if its signature is right. */
  claims: { aud: string; exp: number; sub: string };
  /** The key that signed it. */
  key: string;
}
/** A browser, as its push service and this test know it. */
export interface Browser {
  path: string;
  /** What it sends to subscribe. */
  body: { endpoint: string; p256dh: string; auth: string };
  arrived: Pushed[];
  /** What the push service answers; by default 201. */
  answer?: { status: number; headers?: Record<string, string> };
}

/** A push service: HTTPS on loopback. It decrypts with the browser's private key what it gets, and verifies who signed. */
export interface PushService {
  port: number;
  browser(): Browser;
  close(): Promise<void>;
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, length));

/** RFC 8291, from the browser's side. */
function decrypted(bytes: Buffer, ecdh: ECDH, auth: Buffer): string {
  const salt = bytes.subarray(0, 16);
  const idLength = bytes[20]!;
  const sender = bytes.subarray(21, 21 + idLength);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), ecdh.getPublicKey(), sender]);
  const secret = derive(ecdh.computeSecret(sender), auth, info, 32);
  const key = derive(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const sealed = bytes.subarray(21 + idLength);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(sealed.subarray(-16));
  const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return text.subarray(0, text.lastIndexOf(2)).toString();
}

/** RFC 8292. @throws if the signature is wrong */
function claimsOf(authorization: string): Pick<Pushed, "claims" | "key"> {
  const [, token, key] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization)!;
  const [head, body, signature] = token!.split(".") as [string, string, string];
  const point = Buffer.from(key!, "base64url");
  const publicKey = createPublicKey({
    format: "jwk",
    key: {
      kty: "EC",
      crv: "P-256",
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    },
  });
  const isRight = verify(
    "sha256",
    Buffer.from(`${head}.${body}`),
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isRight) throw new Error("the token is not signed by its key");
  return { claims: JSON.parse(Buffer.from(body, "base64url").toString()) as Pushed["claims"], key: key! };
}

export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, { browser: Browser; ecdh: ECDH; auth: Buffer }>();
  const server = https.createServer(OF_LOCALHOST, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { browser, ecdh, auth } = browsers.get(request.url!)!;
      const { status, headers } = browser.answer ?? { status: 201 };
      const bytes = Buffer.concat(chunks);
      browser.arrived.push({
        headers: request.headers as Record<string, string>,
        bytes: bytes.length,
        notice: JSON.parse(decrypted(bytes, ecdh, auth)) as Pushed["notice"],
        ...claimsOf(request.headers.authorization!),
      });
      response.writeHead(status, headers).end();
    });
  });
  const { address } = await dns.lookup("localhost");
  await new Promise<void>((resolve) => {
    server.listen(0, address, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    browser: () => {
      const ecdh = createECDH("prime256v1");
      ecdh.generateKeys();
      const auth = randomBytes(16);
      const path = `/push/${randomBytes(24).toString("base64url")}`;
      const browser: Browser = {
        path,
        body: {
          endpoint: `https://localhost:${port}${path}`,
          p256dh: ecdh.getPublicKey("base64url"),
          auth: auth.toString("base64url"),
        },
        arrived: [],
      };
      browsers.set(path, { browser, ecdh, auth });
      return browser;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** This process trusts the certificate of localhost: Node reads its authorities at the start only. */
export function trustLocalhost(): void {
  const request = https.request.bind(https) as (url: URL, options: object, done?: () => void) => unknown;
  vi.spyOn(https, "request").mockImplementation(((url: URL, options: object, done?: () => void) =>
    request(url, { ...options, ca: OF_LOCALHOST.cert }, done)) as never);
}

/** Subscribes a browser of the member. @returns the id of its subscription */
export async function subscribe(client: Client, browser: Browser, more: object = {}): Promise<string> {
  return (await client.post("/api/me/push-subscriptions", { ...browser.body, ...more }, 201)).body.id;
}

/** Turns what happened into notices. Transactions of other tests on the same server hold the feed back for a moment. */
export async function notice(app: TestApp): Promise<void> {
  for (const deadline = Date.now() + 150_000; Date.now() < deadline;) {
    await app.db.query("update notice_due set due_at = now() - interval '1 second', claimed = false");
    await app.app.get(NoticeDispatcher).tick();
    const behind = await app.db.query(
      `select 1 from notice_due d where d.epoch = '' or exists (
        select from resource_change c
        where c.tenant_id = d.tenant_id and (c.transaction_id, c.position) > (d.transaction_id, d.position)) limit 1`,
    );
    if (!behind.length) return;
  }
  throw new Error("the feed was not read to its end");
}
/** Makes everything that waits due, and attempts it in each of the processes: what one of them has taken is not due again. */
export async function attempt(...processes: [TestApp, ...TestApp[]]): Promise<void> {
  await processes[0].db.query(
    "update outbox_queue set due_at = now() - interval '1 second' where kind in ('push', 'mention-mail')",
  );
  await Promise.all(processes.map(({ app }) => app.get(OutboxWorker).tick()));
}
export async function deliver(app: TestApp): Promise<void> {
  await notice(app);
  await attempt(app);
}
/** As if ten minutes had gone by since each mention. */
export async function tenMinutesLater(app: TestApp): Promise<void> {
  await notice(app);
  await app.db.query("update unread_mention set due_at = now() - interval '1 second'");
  await app.app.get(MentionMailsJob).tick();
  await attempt(app);
}

const MINUTE_MS = 60_000;
/** A time of day that many minutes from now, in a time zone. */
export const timeIn = (timeZone: string, minutes: number): string =>
  new Date(Date.now() + minutes * MINUTE_MS).toLocaleTimeString("en-GB", {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
  });
