import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import https from "node:https";
import net, { type AddressInfo, type Socket } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OF_LOCALHOST } from "../server/security/certificate.js";

/** The path of Firefox: `FIREFOX`, or one of the usual places; undefined if it is not installed. */
export const FIREFOX = [process.env.FIREFOX, "/usr/bin/firefox-esr", "/usr/bin/firefox"].find(
  (at) => at !== undefined && fs.existsSync(at),
);

/** Is added to the names of tests that are skipped without it. */
export const WITHOUT_FIREFOX = FIREFOX ? "" : " (left out: no Firefox was found; set FIREFOX to its path)";

const listen = async (server: net.Server): Promise<number> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
};

interface Frame {
  text: string;
  opcode: number;
  length: number;
}
const CLOSE = 8;
const PING = 9;
const PONG = 10;

/** The first whole frame of RFC 6455 that a browser sent. Each is masked, and none of these is longer than 64 kB. */
function frameOf(bytes: Buffer): Frame | undefined {
  const long = (bytes[1] ?? 0) & 127;
  const at = long === 126 ? 4 : 2;
  if (bytes.length < at + 4) return undefined;
  const length = long === 126 ? bytes.readUInt16BE(2) : long;
  if (bytes.length < at + 4 + length) return undefined;
  const mask = bytes.subarray(at, at + 4);
  const body = Buffer.from(bytes.subarray(at + 4, at + 4 + length)).map((byte, i) => byte ^ mask[i % 4]!);
  return { text: body.toString(), opcode: bytes[0]! & 15, length: at + 4 + length };
}

function framed(text: string, opcode = 1): Buffer {
  const body = Buffer.from(text);
  const head = body.length < 126 ? Buffer.from([128 + opcode, body.length]) : Buffer.from([128 + opcode, 126, 0, 0]);
  if (head.length === 4) head.writeUInt16BE(body.length, 2);
  return Buffer.concat([head, body]);
}

/**
 * Mozilla's push service, on loopback: a browser holds a WebSocket to it and gets what is posted to its endpoints. It knows no keys, so
 * what arrives in the browser was decrypted there.
 */
export class MozillaPush {
  /** The status that each post was answered with. */
  readonly answered: number[] = [];
  /** Those that a browser has subscribed to. */
  readonly channels = new Set<string>();
  private readonly sockets = new Set<Socket>();
  private readonly lines = http.createServer();
  private readonly endpoints = https.createServer(OF_LOCALHOST, (request, response) => {
    const channelID = request.url!.split("/").at(-1)!;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const isKnown = this.channels.has(channelID);
      if (isKnown)
        this.tell({
          messageType: "notification",
          channelID,
          version: randomUUID(),
          data: Buffer.concat(chunks).toString("base64url"),
          headers: { encoding: request.headers["content-encoding"] },
        });
      this.answered.push(isKnown ? 201 : 410);
      response.writeHead(isKnown ? 201 : 410).end();
    });
  });
  port = 0;
  linePort = 0;

  async start(): Promise<this> {
    this.port = await listen(this.endpoints);
    this.lines.on("upgrade", (request, socket: Socket) => {
      const key = `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
      const accept = createHash("sha1").update(key).digest("base64");
      const protocol = request.headers["sec-websocket-protocol"];
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n${
          protocol ? `Sec-WebSocket-Protocol: ${protocol}\r\n` : ""
        }\r\n`,
      );
      this.sockets.add(socket);
      socket.on("close", () => this.sockets.delete(socket));
      socket.on("error", () => socket.destroy());
      let rest = Buffer.alloc(0);
      socket.on("data", (chunk: Buffer) => {
        rest = Buffer.concat([rest, chunk]);
        for (let frame = frameOf(rest); frame; frame = frameOf(rest)) {
          rest = rest.subarray(frame.length);
          if (frame.opcode === CLOSE) socket.end();
          else if (frame.opcode === PING) socket.write(framed(frame.text, PONG));
          else this.answer(socket, frame.text);
        }
      });
    });
    this.linePort = await listen(this.lines);
    return this;
  }

  private answer(socket: Socket, text: string): void {
    const { messageType, channelID, uaid } = JSON.parse(text) as Record<string, string>;
    const say = (message: object): void => void socket.write(framed(JSON.stringify(message)));
    if (messageType === "hello")
      say({
        messageType,
        status: 200,
        uaid: uaid || randomUUID().replaceAll("-", ""),
        use_webpush: true,
        broadcasts: {},
      });
    if (messageType === "register") {
      this.channels.add(channelID!);
      say({ messageType, status: 200, channelID, pushEndpoint: `https://localhost:${this.port}/wpush/${channelID}` });
    }
    if (messageType === "unregister") {
      this.channels.delete(channelID!);
      say({ messageType, status: 200, channelID });
    }
    if (messageType === undefined) socket.write(framed("{}"));
  }

  private tell(message: object): void {
    for (const socket of this.sockets) socket.write(framed(JSON.stringify(message)));
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    for (const server of [this.lines, this.endpoints]) {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    }
  }
}

/** It looks for nothing but what a test asks of it. What is recommended for tests turns push off. */
const QUIET = {
  "marionette.port": 0,
  "remote.prefs.recommended": false,
  "app.normandy.enabled": false,
  "app.update.disabledForTesting": true,
  "browser.aboutwelcome.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "extensions.update.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
};

/** A Firefox without a window, driven by Marionette. */
export class Firefox {
  private readonly waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  private asked = 0;

  private constructor(
    private readonly process: ChildProcess,
    private readonly line: Socket,
    private readonly profile: string,
  ) {
    let rest = Buffer.alloc(0);
    line.on("data", (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      for (;;) {
        const colon = rest.indexOf(":");
        if (colon < 0) return;
        const length = Number(rest.subarray(0, colon).toString());
        if (rest.length < colon + 1 + length) return;
        this.hear(JSON.parse(rest.subarray(colon + 1, colon + 1 + length).toString()) as unknown);
        rest = rest.subarray(colon + 1 + length);
      }
    });
  }

  static async open(prefs: Record<string, string | number | boolean>): Promise<Firefox> {
    const profile = fs.mkdtempSync(path.join(os.tmpdir(), "parley-firefox-"));
    const all = { ...QUIET, ...prefs };
    fs.writeFileSync(
      path.join(profile, "user.js"),
      Object.entries(all)
        .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
        .join(""),
    );
    const process = spawn(
      FIREFOX!,
      ["--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", profile],
      { stdio: "ignore", env: { ...globalThis.process.env, HOME: profile } },
    );
    const port = await portIn(path.join(profile, "MarionetteActivePort"));
    const line = net.connect(port, "127.0.0.1");
    await once(line, "connect");
    const firefox = new Firefox(process, line, profile);
    await firefox.ask("WebDriver:NewSession", {});
    return firefox;
  }

  private hear(message: unknown): void {
    // The first is a greeting.
    if (!Array.isArray(message)) return;
    const [, id, error, result] = message as [number, number, { message: string } | null, unknown];
    const { resolve, reject } = this.waiting.get(id)!;
    this.waiting.delete(id);
    if (error) reject(new Error(error.message));
    else resolve(result);
  }

  private ask(command: string, args: object): Promise<unknown> {
    const id = ++this.asked;
    const text = Buffer.from(JSON.stringify([0, id, command, args]));
    this.line.write(Buffer.concat([Buffer.from(`${text.length}:`), text]));
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  async goto(url: string): Promise<void> {
    await this.ask("WebDriver:Navigate", { url });
  }

  /** The value of an expression in the page, or of what a block returns; a promise is waited for. */
  async evaluate<Value>(expression: string): Promise<Value> {
    const body = expression.startsWith("{") ? expression : `(${expression})`;
    const script = `const done = arguments[0]; (async () => ${body})().then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const answer = (await this.ask("WebDriver:ExecuteAsyncScript", { script, args: [], scriptTimeout: 60_000 })) as {
      value: { value: Value; error?: string };
    };
    if (answer.value.error !== undefined) throw new Error(answer.value.error);
    return answer.value.value;
  }

  /** The same in the browser itself. */
  async inBrowser<Value>(expression: string): Promise<Value> {
    await this.ask("Marionette:SetContext", { value: "chrome" });
    try {
      return await this.evaluate<Value>(expression);
    } finally {
      await this.ask("Marionette:SetContext", { value: "content" });
    }
  }

  /** Waits for the element, and clicks it. */
  async click(xpath: string): Promise<void> {
    await this.ask("WebDriver:ElementClick", { id: await this.find(xpath) });
  }
  async type(xpath: string, text: string): Promise<void> {
    await this.ask("WebDriver:ElementSendKeys", { id: await this.find(xpath), text });
  }
  async find(xpath: string): Promise<string> {
    await this.ask("WebDriver:SetTimeouts", { implicit: 60_000 });
    const { value } = (await this.ask("WebDriver:FindElement", { using: "xpath", value: xpath })) as {
      value: Record<string, string>;
    };
    return Object.values(value)[0]!;
  }

  async close(): Promise<void> {
    const ended = once(this.process, "exit");
    this.line.destroy();
    this.process.kill("SIGTERM");
    await ended;
    fs.rmSync(this.profile, { recursive: true, force: true });
  }
}

/** What Firefox writes into the file once it listens. */
async function portIn(file: string): Promise<number> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(50)) {
    const port = fs.existsSync(file) ? Number(fs.readFileSync(file, "utf8")) : 0;
    if (port) return port;
  }
  throw new Error("Firefox does not listen");
}
