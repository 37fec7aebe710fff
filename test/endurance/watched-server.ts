import net, { type AddressInfo } from "node:net";

/** A statement on its way to PostgreSQL, at which a test strikes: before it arrives, or when it is carried out and nobody knows it yet. */
export interface Point {
  when: "before" | "after";
  sql: RegExp;
  /** What has to come first on the same server, since the point was set. */
  behind?: RegExp;
}

/** A way to a PostgreSQL on which a test sees each statement of a process. */
export interface WatchedServer {
  url: string;
  /** Calls `strike` at this point, once. What was under way then goes no further. */
  strikeAt(point: Point, strike: () => void): void;
  close(): Promise<void>;
}

export async function watchedServer(to: string): Promise<WatchedServer> {
  const far = new URL(to);
  const open = new Set<net.Socket>();
  let waiting: { point: Point; isNear: boolean; strike: () => void } | undefined;
  const strike = (): void => {
    const { strike: act } = waiting!;
    waiting = undefined;
    act();
  };
  /** Whether this is the point. */
  const isPoint = (text: string): boolean => {
    if (!waiting?.isNear) {
      if (waiting?.point.behind?.test(text)) waiting.isNear = true;
      return false;
    }
    return waiting.point.sql.test(text);
  };
  const relay = net.createServer((near) => {
    const server = net.connect(Number(far.port), far.hostname);
    let isStruck = false;
    let isCarriedOut = false;
    near.on("data", (bytes) => {
      if (isStruck) return;
      if (isPoint(bytes.toString("latin1"))) {
        isStruck = true;
        isCarriedOut = waiting!.point.when === "after";
        if (!isCarriedOut) return strike();
      }
      server.write(bytes);
    });
    server.on("data", (bytes) => {
      if (!isStruck) near.write(bytes);
      else if (isCarriedOut) {
        isCarriedOut = false;
        strike();
      }
    });
    for (const [one, other] of [
      [near, server],
      [server, near],
    ] as const) {
      open.add(one);
      one.on("error", () => undefined);
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => {
    relay.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: Object.assign(new URL(to), { port: String((relay.address() as AddressInfo).port) }).href,
    strikeAt: (point, act) => {
      waiting = { point, isNear: point.behind === undefined, strike: act };
    },
    close: () =>
      new Promise((resolve) => {
        relay.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
