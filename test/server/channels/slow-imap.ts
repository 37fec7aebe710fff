import net, { type AddressInfo } from "node:net";

export interface SlowImap {
  port: number;
  /** The mails that were asked for. */
  fetches: number;
  /** Connections that the other side ended while it waited for a mail. */
  ended: number;
  close(): Promise<void>;
}

/** An IMAP server with one new mail, of which it sends a byte every tenth of a second. */
export async function startSlowImap(size: number): Promise<SlowImap> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    let dribble: NodeJS.Timeout | undefined;
    socket
      .on("error", () => undefined)
      .on("close", () => {
        sockets.delete(socket);
        if (dribble) imap.ended++;
        clearInterval(dribble);
      });
    socket.write("* OK ready\r\n");
    let buffer = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      buffer += text;
      for (let end = buffer.indexOf("\r\n"); end >= 0; end = buffer.indexOf("\r\n")) {
        const line = buffer.slice(0, end);
        const [tag, command] = line.split(" ");
        buffer = buffer.slice(end + 2);
        if (command === "EXAMINE")
          socket.write(
            `* FLAGS ()\r\n* 1 EXISTS\r\n* OK [UIDVALIDITY 1] UIDs\r\n* OK [UIDNEXT 1] next\r\n${tag} OK [READ-ONLY]\r\n`,
          );
        else if (/UID SEARCH/.test(line)) socket.write(`* SEARCH 1\r\n${tag} OK\r\n`);
        else if (/UID FETCH .*BODY/.test(line)) {
          imap.fetches++;
          const bytes = Math.min(size, 1_048_576);
          socket.write(`* 1 FETCH (UID 1 BODY[]<0> {${bytes}}\r\n`);
          dribble = setInterval(() => socket.write("a"), 100);
        } else if (/UID FETCH/.test(line))
          socket.write(
            `* 1 FETCH (UID 1 RFC822.SIZE ${size} INTERNALDATE "01-Jan-2026 00:00:00 +0000")\r\n${tag} OK\r\n`,
          );
        else socket.write(`${tag} OK\r\n`);
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const imap: SlowImap = {
    port: (server.address() as AddressInfo).port,
    fetches: 0,
    ended: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return imap;
}
