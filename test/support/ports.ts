import { randomInt } from "node:crypto";
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";

/** Vitest's workers have the numbers from 1; its main process has none. */
const WORKER = Number(process.env.VITEST_POOL_ID ?? 0);
const WORKERS = 9;
const [FIRST, EACH] = [20_000 + (WORKER % WORKERS) * 1_300, 1_300];
/** Each worker begins anywhere, for another run on the same machine, and goes on from there. */
let next = randomInt(EACH);

/**
 * A port for a process that binds it later. Until then nobody else gets it: the system gives no port below 32768 by itself, each
 * worker has ports of its own, and gives each once before it comes to the first again.
 */
export async function freePort(address = "localhost"): Promise<number> {
  for (;;) {
    const port = FIRST + (next++ % EACH);
    const server = net.createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false)).listen(port, address, () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}

/** A port where nobody listens, and where nobody can begin to: it is the near end of a connection, which stays open. */
export async function closedPort(): Promise<number> {
  const server = net.createServer((socket) => socket.on("error", () => undefined).unref());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = net.connect((server.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "connect");
  socket.on("error", () => undefined);
  for (const one of [server, socket]) one.unref();
  return socket.localPort!;
}
