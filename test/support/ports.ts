import { randomInt } from "node:crypto";
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";

/**
 * A port for a process that binds it later. The system gives no port below 32768 by itself, so until then nobody else gets it.
 */
export async function freePort(address = "localhost"): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
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
