import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../support/ports.js";

/** The path of Debian's `radicale` on this machine; undefined if it is not installed. */
export const RADICALE = ["/usr/bin/radicale", "/usr/local/bin/radicale"].find((file) => fs.existsSync(file));

/** Is added to the names of tests that are skipped without Radicale. */
export const WITHOUT_RADICALE = RADICALE ? "" : " (left out: no Radicale was found; install radicale)";

export const PASSWORD = "needle-hunter2-hunter2";

export interface Radicale {
  readonly port: number;
  readonly url: string;
  /** Sends requests as a person's calendar program, without the proxy. */
  send(
    method: string,
    path: string,
    body?: string,
    headers?: Record<string, string>,
  ): Promise<{ status: number; text: string; etag: string | null }>;
  /** Creates a calendar. @returns its path */
  calendar(name: string, timezone?: string): Promise<string>;
  /** The events of a calendar, as they are stored. */
  events(calendar: string): Promise<{ path: string; ics: string; etag: string }[]>;
  /** Changes an event as a person would: reads it, writes it if it is unchanged, and otherwise tries again. */
  edit(path: string, change: (ics: string) => string): Promise<void>;
  password(password: string): void;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Deletes all version data, so that earlier sync tokens are invalid. */
  forgetTokens(): void;
  close(): Promise<void>;
}

/** A real Radicale in its own folder, on its own port. */
export async function startRadicale(): Promise<Radicale> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "parley-radicale-"));
  const port = await freePort("127.0.0.1");
  const users = path.join(folder, "users");
  let current = PASSWORD;
  const writeUsers = (): void =>
    fs.writeFileSync(users, ["desk", "other"].map((name) => `${name}:${current}\n`).join(""));
  writeUsers();
  fs.writeFileSync(
    path.join(folder, "config"),
    `
[server]
hosts = 127.0.0.1:${port}
[auth]
type = htpasswd
htpasswd_filename = ${users}
htpasswd_encryption = plain
delay = 0
[storage]
filesystem_folder = ${folder}/collections
[logging]
level = error
`,
  );
  let child: ChildProcess | undefined;
  const url = `http://127.0.0.1:${port}`;
  const server: Radicale = {
    port,
    url,
    send: async (method, place, body, headers = {}) => {
      const response = await fetch(url + place, {
        method,
        body,
        headers: { authorization: `Basic ${Buffer.from(`desk:${current}`).toString("base64")}`, ...headers },
      });
      return { status: response.status, text: await response.text(), etag: response.headers.get("etag") };
    },
    calendar: async (name, timezone = "Europe/Berlin") => {
      const place = `/desk/${name}/`;
      const { status } = await server.send(
        "MKCALENDAR",
        place,
        `<?xml version="1.0"?><C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop><D:displayname>${name}</D:displayname>
        <C:calendar-timezone>BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VTIMEZONE\nTZID:${timezone}\nEND:VTIMEZONE\nEND:VCALENDAR</C:calendar-timezone></D:prop></D:set></C:mkcalendar>`,
      );
      if (status !== 201) throw new Error(`MKCALENDAR ${status}`);
      return place;
    },
    events: async (calendar) => {
      const { text } = await server.send(
        "PROPFIND",
        calendar,
        '<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>',
        { depth: "1" },
      );
      const paths = [...text.matchAll(/<href>([^<]*\.ics)<\/href>/g)].map(([, one]) => one!);
      const found = [];
      for (const place of paths) {
        const { status, text: ics, etag } = await server.send("GET", place);
        if (status === 200) found.push({ path: place, ics, etag: etag! });
      }
      return found;
    },
    edit: async (place, change) => {
      for (let attempt = 0; attempt < 100; attempt++) {
        const { status: found, text, etag } = await server.send("GET", place);
        if (found !== 200) throw new Error(`GET ${place} ${found}`);
        const { status } = await server.send("PUT", place, change(text), {
          "if-match": etag!,
          "content-type": "text/calendar",
        });
        if (status < 300) return;
        if (status !== 412) throw new Error(`PUT ${place} ${status}`);
      }
      throw new Error("never the same event");
    },
    password: (password) => {
      current = password;
      writeUsers();
    },
    start: async () => {
      const made = spawn(RADICALE!, ["-C", path.join(folder, "config")], {
        stdio: ["ignore", "ignore", "pipe"],
        cwd: folder,
      });
      child = made;
      let said = "";
      made.stderr.on("data", (text) => {
        said += String(text);
      });
      for (const deadline = Date.now() + 100_000; !(await answers(port)); await sleep(50)) {
        if (made.exitCode !== null || Date.now() > deadline) throw new Error(`Radicale did not start: ${said}`);
      }
    },
    kill: async () => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => {
        child!.once("exit", resolve);
      });
      child.kill("SIGKILL");
      await ended;
    },
    forgetTokens: () => {
      for (const entry of fs.readdirSync(path.join(folder, "collections"), { recursive: true, encoding: "utf8" })) {
        if (entry.endsWith(".Radicale.cache/sync-token"))
          fs.rmSync(path.join(folder, "collections", entry), { recursive: true });
      }
    },
    close: async () => {
      await server.kill();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

export interface Proxy {
  readonly port: number;
  /** The probability, 0 to 1, that a connection is cut. */
  cuts: number;
  close(): Promise<void>;
}

/** A proxy to a server that may cut a connection before the request, within it, or before its response. */
export async function startProxy(to: number, random: () => number = Math.random): Promise<Proxy> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((near) => {
    const far = net.connect(to, "127.0.0.1");
    const both = [near, far];
    const cut = (): void => both.forEach((socket) => socket.destroy());
    for (const socket of both) {
      sockets.add(socket);
      socket.on("error", cut).on("close", () => {
        sockets.delete(socket);
        cut();
      });
    }
    const where = random() < proxy.cuts ? Math.floor(random() * 4) : -1;
    if (where === 0) return cut();
    near.on("data", (data) => {
      if (where === 1) return cut();
      far.write(data);
      // The request arrives, its response does not.
      if (where === 2) setTimeout(cut, 60);
    });
    far.on("data", (data) => {
      if (where === 2) return;
      if (where === 3) {
        near.write(data.subarray(0, Math.floor(random() * data.length)));
        return void setTimeout(cut, 5);
      }
      near.write(data);
    });
    near.on("end", () => far.end());
    far.on("end", () => near.end());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const proxy: Proxy = {
    port: (server.address() as net.AddressInfo).port,
    cuts: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return proxy;
}

/** A proxy to the same server that hides its support for sync tokens. */
export async function startPlain({ url }: Radicale): Promise<{ port: number; close(): Promise<void> }> {
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .on("end", () => {
        const body = Buffer.concat(chunks);
        if (body.includes("sync-collection")) return void response.writeHead(403).end();
        const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
        void fetch(url + request.url!, {
          method: request.method,
          headers: headers as Record<string, string>,
          redirect: "manual",
          ...(body.length && { body }),
        }).then(async (answer) => {
          const text = (await answer.text()).replace(/<sync-token>[^<]*<\/sync-token>/g, "");
          response
            .writeHead(
              answer.status,
              Object.fromEntries(
                [...answer.headers].filter(([name]) => ["content-type", "etag", "location"].includes(name)),
              ),
            )
            .end(text);
        });
      });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as net.AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1");
    socket
      .once("connect", () => {
        socket.destroy();
        resolve(true);
      })
      .once("error", () => resolve(false));
  });
