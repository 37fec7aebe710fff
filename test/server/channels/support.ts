import net, { type AddressInfo } from "node:net";
import { OutboxWorker } from "../../../src/platform/outbox/outbox.worker.js";
import { ProvisioningJob } from "../../../src/channels/provisioning.job.js";
import type { TestApp } from "../../support/app.js";

export interface ImapServer {
  port: number;
  /** `user password` of each login attempt. */ logins: string[];
  accepts: boolean;
  silent: boolean;
  /** While set, the answer to a login waits for this promise. */
  hold?: Promise<void> | undefined;
  close(): Promise<void>;
}

/** The IMAP commands that the test of a mailbox needs. */
export async function startImap(mails = 3): Promise<ImapServer> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    if (imap.silent) return;
    socket.write("* OK ready\r\n");
    let buffer = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      buffer += text;
      for (let end = buffer.indexOf("\r\n"); end >= 0; end = buffer.indexOf("\r\n")) {
        const [tag, command, ...rest] = buffer.slice(0, end).split(" ") as [string, string, ...string[]];
        buffer = buffer.slice(end + 2);
        if (command === "LOGIN") {
          imap.logins.push(rest.map((word) => word.slice(1, -1)).join(" "));
          void Promise.resolve(imap.hold).then(() => socket.write(`${tag} ${imap.accepts ? "OK" : "NO"} LOGIN\r\n`));
        } else if (command === "EXAMINE") socket.write(`* FLAGS ()\r\n* ${mails} EXISTS\r\n${tag} OK [READ-ONLY]\r\n`);
        else socket.write(`${tag} OK\r\n`);
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const imap: ImapServer = {
    port: (server.address() as AddressInfo).port,
    logins: [],
    accepts: true,
    silent: false,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return imap;
}

/** Makes all jobs due, and runs them. */
export async function provision(app: TestApp, node = app): Promise<void> {
  await app.db.query(`update channel_due set due_at = now() - interval '1 second'`);
  await node.app.get(ProvisioningJob).tick();
}
export async function deliver(app: TestApp, node = app): Promise<void> {
  await app.db.query(`update outbox_queue set due_at = now() - interval '1 second' where due_at < 'infinity'`);
  await node.app.get(OutboxWorker).tick();
}
