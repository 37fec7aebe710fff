import { BlockList, isIP } from "node:net";

const subnets = (family: "ipv4" | "ipv6", ...blocks: string[]): BlockList => {
  const all = new BlockList();
  for (const block of blocks) {
    const [address, bits] = block.split("/") as [string, string];
    all.addSubnet(address, Number(bits), family);
  }
  return all;
};

/** What is not the public internet, by IANA's registry of special-purpose addresses. */
const SPECIAL_V4 = subnets(
  "ipv4",
  // This network, private use, shared by a provider's customers, loopback, link-local with its metadata services.
  "0.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  // Protocol assignments, documentation, relays of 6to4, benchmarks, multicast, reserved and broadcast.
  "192.0.0.0/24",
  "192.0.2.0/24",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "192.88.99.0/24",
  "198.18.0.0/15",
  "224.0.0.0/4",
  "240.0.0.0/4",
  // The host service of one large cloud has a public address.
  "168.63.129.16/32",
);

/**
 * All that is handed out of IPv6 to the public. Outside stand loopback, link-local, unique-local, multicast, and the forms
 * that carry an IPv4 address: mapped, compatible, NAT64.
 */
const GLOBAL_V6 = subnets("ipv6", "2000::/3");
/** Protocol assignments with Teredo, documentation, 6to4. */
const SPECIAL_V6 = subnets("ipv6", "2001::/23", "2001:db8::/32", "3fff::/20", "2002::/16");

/** Whether it is an address of the public internet. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !SPECIAL_V4.check(address, "ipv4");
  // An address with a zone is one of a link.
  return (
    isIP(address) === 6 &&
    !address.includes("%") &&
    GLOBAL_V6.check(address, "ipv6") &&
    !SPECIAL_V6.check(address, "ipv6")
  );
}
