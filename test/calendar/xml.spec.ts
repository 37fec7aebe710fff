import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebDavClient } from "../../src/calendar/providers/caldav/webdav-client.js";
import { OutboundClient } from "../../src/platform/outbound/outbound.client.js";

let server: http.Server;
let url: string;
let doctype = "";
/** What the answers' entities asked this server for. */
const asked: string[] = [];
beforeAll(async () => {
  server = http.createServer((request, response) => {
    if (request.method !== "PROPFIND") asked.push(request.url!);
    response.writeHead(207, { "content-type": "application/xml" }).end(`<?xml version="1.0"?>
      ${doctype}
      <d:multistatus xmlns:d="DAV:"><d:response><d:href>/work/</d:href><d:propstat>
        <d:prop><d:displayname>name: &entity;</d:displayname></d:prop>
        <d:status>HTTP/1.1 200 OK</d:status>
      </d:propstat></d:response></d:multistatus>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());

const LAUGHS = Array.from({ length: 9 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`).join("");

test.each([
  ["of a file", () => `<!DOCTYPE x [<!ENTITY entity SYSTEM "file:///etc/hostname">]>`],
  ["of another address", () => `<!DOCTYPE x [<!ENTITY entity SYSTEM "${url}entity">]>`],
  ["of a foreign document type", () => `<!DOCTYPE x SYSTEM "${url}dtd">`],
  ["that becomes a billion", () => `<!DOCTYPE x [<!ENTITY a0 "ha">${LAUGHS}<!ENTITY entity "&a9;">]>`],
])("an XML entity %s in a calendar server's answer is not resolved", async (_, type) => {
  doctype = type();
  const client = new WebDavClient(new OutboundClient([new URL(url).host]), {
    serverUrl: url,
    username: "desk",
    password: "a password",
  });
  const found = await client.ask(url, "PROPFIND", "0", {}).catch((error: unknown) => String(error));
  expect(JSON.stringify(found)).toMatch(/name: &entity;|not WebDAV/);
  expect(JSON.stringify(found).length).toBeLessThan(1_000);
  expect(asked).toEqual([]);
});
