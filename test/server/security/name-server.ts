import dgram from "node:dgram";
import dns from "node:dns";
import type { LookupAddress } from "node:dns";
import net from "node:net";
import { freePort } from "../../support/ports.js";

/** The records of a name at its nth query: addresses of both families, an alias, or texts. It `fails` if its own servers are gone, an `unknown` one does not exist, and a `silent` one gets no answer. */
export type Answers = (
  name: string,
  times: number,
) => {
  addresses?: readonly string[];
  alias?: string;
  texts?: readonly string[];
  fails?: boolean;
  unknown?: boolean;
  silent?: boolean;
};

export interface NameServer {
  port: number;
  lookup(host: string): Promise<LookupAddress[]>;
  asked: Map<string, number>;
  close(): void;
}

const A = 1;
const CNAME = 5;
const TXT = 16;
const AAAA = 28;

const encoded = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .split(".")
      .filter(Boolean)
      .flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]),
    Buffer.from([0]),
  ]);

function bytesOf(address: string): Buffer {
  if (net.isIPv4(address)) return Buffer.from(address.split(".").map(Number));
  const [head = "", tail = ""] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const groups = (part: string): string[] => part.split(":").filter(Boolean);
  const missing = 8 - groups(head).length - groups(tail).length;
  return Buffer.concat(
    [...groups(head), ...Array<string>(missing).fill("0"), ...groups(tail)].map((group) =>
      Buffer.from(group.padStart(4, "0"), "hex"),
    ),
  );
}

/** A real DNS server on loopback that gives the answers of a test, with a time to live of 0. */
export async function startNameServer(answers: Answers, port?: number): Promise<NameServer> {
  const asked = new Map<string, number>();
  const socket = dgram.createSocket("udp4");
  socket.on("message", (query, from) => {
    let end = 12;
    const labels: string[] = [];
    for (; query[end]; end += query[end]! + 1) labels.push(query.toString("latin1", end + 1, end + 1 + query[end]!));
    const type = query.readUInt16BE(end + 1);
    const name = labels.join(".").toLowerCase();
    const times = (asked.get(`${name} ${type}`) ?? 0) + 1;
    asked.set(`${name} ${type}`, times);
    const records: Buffer[] = [];
    const add = (owner: Buffer, kind: number, data: Buffer): void => {
      const fixed = Buffer.alloc(10);
      fixed.writeUInt16BE(kind, 0);
      fixed.writeUInt16BE(1, 2);
      fixed.writeUInt16BE(data.length, 8);
      records.push(owner, fixed, data);
    };
    let count = 0;
    let owner = encoded(name);
    let { alias, addresses = [] } = answers(name, times);
    const { fails = false, unknown = false, silent = false } = answers(name, times);
    if (silent) return;
    const { texts = [] } = type === TXT ? answers(name, times) : {};
    for (; alias !== undefined && count < 8; count++) {
      add(owner, CNAME, encoded(alias));
      owner = encoded(alias);
      ({ alias, addresses = [] } = answers(alias, times));
    }
    for (const text of texts) {
      const parts = text.match(/.{1,255}/gs) ?? [];
      add(
        owner,
        TXT,
        Buffer.concat(parts.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)]))),
      );
      count++;
    }
    for (const address of addresses) {
      if (type === TXT) continue;
      if (net.isIPv4(address) !== (type === A)) continue;
      add(owner, type === A ? A : AAAA, bytesOf(address));
      count++;
    }
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(fails ? 0x8582 : unknown ? 0x8583 : 0x8580, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(count, 6);
    header.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([header, query.subarray(12, end + 5), ...records]), from.port, from.address);
  });
  // No other program is given this port while the server is closed.
  const at = port ?? (await freePort("127.0.0.1"));
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject).bind(at, "127.0.0.1", resolve);
  });
  const resolver = new dns.promises.Resolver({ timeout: 2_000, tries: 2 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    port: socket.address().port,
    asked,
    lookup: async (host) => {
      const found = await Promise.all([
        resolver.resolve4(host).catch(() => []),
        resolver.resolve6(host).catch(() => []),
      ]);
      return found.flat().map((address) => ({ address, family: net.isIP(address) }));
    },
    close: () => {
      resolver.cancel();
      socket.close();
    },
  };
}
