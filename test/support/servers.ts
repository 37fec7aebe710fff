import { once } from "node:events";
import net from "node:net";
import { freshDatabase, type TestDatabase } from "./database.js";
import { freePort } from "./ports.js";

/** A database of the run's PostgreSQL, which counts as a server of its own. Its login is that of DATABASE_URL and DATABASE_APP_URL. */
export interface FurtherServer extends TestDatabase {
  /** Its entry in DATABASE_SERVERS. */
  setting: string;
}

export async function furtherServer(name: string): Promise<FurtherServer> {
  const db = await freshDatabase();
  return Object.assign(db, { setting: addressOf(name, db) });
}

/** The entry of a database in DATABASE_SERVERS. */
export function addressOf(name: string, { url }: TestDatabase): string {
  const { host, pathname } = new URL(url);
  return `${name}=postgres://${host}${pathname}`;
}

/** A way to a server that can break. */
export interface FragileWay {
  /** The address of a database behind it. */
  to(url: string): string;
  /** Whoever is connected loses the connection, and nobody else gets one. */
  die(): Promise<void>;
  /** Connections stay, and nothing comes any more, as of a machine without power. */
  hang(): Promise<void>;
  /** For new connections. @param url where the server is now, if it has moved */
  revive(url?: string): Promise<void>;
  close(): Promise<void>;
}

/** @param url of the server */
export async function fragileWay(url: string): Promise<FragileWay> {
  let far = new URL(url);
  const open = new Set<net.Socket>();
  const silent = new WeakSet<net.Socket>();
  let hangs = false;
  const relay = net.createServer((near) => {
    const to = net.connect(Number(far.port), far.hostname);
    for (const [from, other] of [
      [near, to],
      [to, near],
    ] as const) {
      open.add(from);
      if (hangs) silent.add(from);
      from.on("error", () => undefined);
      from.on("data", (bytes) => {
        if (!silent.has(from)) other.write(bytes);
      });
      from.on("close", () => {
        open.delete(from);
        other.destroy();
      });
    }
  });
  // No other program is given this port while the way is broken.
  const port = await freePort("127.0.0.1");
  const listen = async (): Promise<void> => {
    relay.listen(port, "127.0.0.1");
    await once(relay, "listening");
  };
  await listen();
  const die = async (): Promise<void> => {
    const closed = new Promise((resolve) => relay.close(resolve));
    for (const socket of open) socket.destroy();
    await closed;
  };
  return {
    to: (address) => Object.assign(new URL(address), { hostname: "127.0.0.1", port: String(port) }).href,
    die,
    hang: () => {
      hangs = true;
      for (const socket of open) silent.add(socket);
      return Promise.resolve();
    },
    revive: async (now = far.href) => {
      far = new URL(now);
      hangs = false;
      if (!relay.listening) await listen();
    },
    close: async () => {
      if (relay.listening) await die();
    },
  };
}

/** A further server that can go down: processes reach it through a relay. */
export interface FragileServer extends FurtherServer, Pick<FragileWay, "die" | "hang" | "revive"> {}

export async function fragileServer(name: string): Promise<FragileServer> {
  const db = await furtherServer(name);
  const { to, die, hang, revive, close } = await fragileWay(db.url);
  const { drop } = db;
  return Object.assign(db, {
    setting: addressOf(name, { ...db, url: to(db.url) }),
    die,
    hang,
    revive,
    drop: async () => {
      await close();
      await drop();
    },
  });
}
