import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/**
 * Makes a function that finds the client's address behind trusted proxies, each of which appends to `X-Forwarded-For` whom it heard
 * from. What is no address counts as the proxy that sent it: otherwise a client could be somebody else in each request. Some
 * proxies, such as Azure's, append the port too. It is taken off: a client has another one for each connection.
 * @param proxies addresses and CIDR ranges
 */
export function addressBehind(proxies: readonly string[]): (request: IncomingMessage) => string {
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [address = "", bits] = proxy.split("/");
    if (bits === undefined) trusted.addAddress(address, familyOf(address));
    else trusted.addSubnet(address, Number(bits), familyOf(address));
  }
  const isTrusted = (address: string): boolean => trusted.check(address.split("%", 1)[0]!, familyOf(address));
  return ({ socket, headers }) => {
    let address = socket.remoteAddress ?? "";
    const hops = [headers["x-forwarded-for"] ?? []].flat().join().split(",").reverse();
    for (const hop of hops.map(withoutPort)) {
      if (!isTrusted(address) || !isIP(hop)) break;
      address = hop;
    }
    return address;
  };
}

/** `192.0.2.1:5678`, `[2001:db8::1]:443` and `[2001:db8::1]`. Without brackets, what follows a colon belongs to an IPv6 address. */
const withoutPort = (hop: string): string =>
  hop
    .trim()
    .replace(/^\[([^\]]*)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/, (_, v6: string | undefined, v4: string) => v6 ?? v4);

const familyOf = (address: string): "ipv4" | "ipv6" => (address.includes(":") ? "ipv6" : "ipv4");
