import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { addressBehind } from "../../../src/platform/http/client-address.js";

const addressOf = addressBehind(["10.0.0.0/8", "2001:db8:ffff::/48"]);
const from = (forwarded: string | undefined, remoteAddress = "10.0.0.1"): string =>
  addressOf({ socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } } as unknown as IncomingMessage);

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["192.0.2.1:5678", "192.0.2.1"],
  ["[2001:db8::1]:443", "2001:db8::1"],
  ["[2001:db8::1]", "2001:db8::1"],
  ["2001:db8::1", "2001:db8::1"],
  ["::ffff:192.0.2.1", "::ffff:192.0.2.1"],
  // The port of a proxy in between is taken off as well, and what the client itself claims stays a claim.
  ["203.0.113.9, 192.0.2.1:5678, 10.0.0.7:80", "192.0.2.1"],
  ["192.0.2.1:5678, [2001:db8:ffff::7]:80", "192.0.2.1"],
])("the client behind the proxies of %s is %s, whatever the port", (forwarded, client) => {
  expect(from(forwarded)).toBe(client);
});

test.each([
  "192.0.2.1:",
  "192.0.2.1:123456",
  "192.0.2.1:80:80",
  "[192.0.2.1",
  "[evil]:80",
  "evil:80",
  ":80",
  "[]:1",
  "",
])("what is no address counts as the proxy that sent it: %s", (forwarded) => {
  expect(from(forwarded)).toBe("10.0.0.1");
});

test("who is no proxy is believed nothing, with or without a port", () => {
  expect(from("203.0.113.9:80", "192.0.2.1")).toBe("192.0.2.1");
});
