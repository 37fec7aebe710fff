import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * The part of IPv6 that IANA assigns to the public. Outside of it are loopback, link-local, unique-local, multicast, and
 * the forms that contain an IPv4 address: mapped, compatible, NAT64. A list of refused ranges would miss new ones.
 */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR("2000::/3");
/** Azure's host service has a public address. */
const AZURE_HOST = "168.63.129.16";

/**
 * Whether an address belongs to the public internet.
 *
 * @param address as `net.isIP` accepts it; false for anything else, because Node would resolve it as a name
 */
export function isPublic(address: string): boolean {
  if (!isIP(address) || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  if (parsed instanceof ipaddr.IPv4) return parsed.toString() !== AZURE_HOST;
  // An address with a zone belongs to one link.
  return !parsed.zoneId && parsed.match(GLOBAL_V6);
}
