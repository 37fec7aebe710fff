import type { TransformFnParams } from "class-transformer";
import ipaddr from "ipaddr.js";

// How settings are read from text, and what is allowed in them.

export const integer = ({ value }: TransformFnParams): unknown =>
  typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
export const flag = ({ value }: TransformFnParams): unknown =>
  value === "true" || value === "false" ? value === "true" : value;
export const list = ({ value }: TransformFnParams): unknown =>
  typeof value === "string"
    ? value
        .split(",")
        .map((item) => item.trim())
        .filter(Boolean)
    : value;
export const withoutSlash = ({ value }: TransformFnParams): unknown =>
  typeof value === "string" ? value.replace(/(?<!\/)\/+$/, "") : value;

/** An address or a network. IPv4 needs four decimal parts, because parsers disagree about `10` and `010.0.0.1`. */
export function isProxy(value: unknown): boolean {
  const text = String(value);
  return (
    ipaddr.IPv4.isValidFourPartDecimal(text) ||
    ipaddr.IPv4.isValidCIDRFourPartDecimal(text) ||
    ipaddr.IPv6.isValid(text) ||
    ipaddr.IPv6.isValidCIDR(text)
  );
}

/** A name other than `localhost` may stand for any address. */
export function isLoopback(host: string): boolean {
  if (host === "localhost") return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === "loopback";
}

export const hosts = (params: TransformFnParams): unknown =>
  list({ ...params, value: String(params.value).toLowerCase() });

/** `host:port` as it is in a URL, so that it can be compared as text. */
export function isHostAndPort(value: unknown): boolean {
  const [, host = "", port] = /^([a-z0-9._-]+|\[[0-9a-f:.]+\]):(\d{1,5})$/.exec(String(value)) ?? [];
  const url = `http://${host}`;
  return (
    URL.canParse(url) &&
    new URL(url).hostname === host &&
    Number(port) >= 1 &&
    Number(port) <= 65_535 &&
    String(Number(port)) === port
  );
}

/** The server that DATABASE_URL leads to. */
export const CONTROL = "control";
/** The name and the address of `name=postgres://…`. */
export function serverOf(value: string): [name: string, url: string] | undefined {
  const [, name, url] = /^([a-z][a-z0-9-]{0,30})=(postgres(?:ql)?:\/\/.+)$/.exec(value) ?? [];
  return name === undefined || name === CONTROL || !URL.canParse(url!) ? undefined : [name, url!];
}
export const isServer = (value: unknown): boolean => serverOf(String(value)) !== undefined;

export const urlOf = (...protocols: string[]) => ({ require_tld: false, require_protocol: true, protocols });
