import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lastNameOf, readMultistatus } from "../../../src/calendar/providers/caldav/multistatus.js";

let server: http.Server;
let url: string;
/** What an answer's entities asked this server for. */
const asked: string[] = [];
beforeAll(async () => {
  server = http.createServer((request, response) => {
    asked.push(request.url!);
    response.end(`<!ENTITY entity "resolved">`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());

const LAUGHS = Array.from({ length: 9 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`).join("");

const read = (doctype: string, entity: string) =>
  readMultistatus({
    url,
    type: "application/xml",
    text: `<?xml version="1.0"?>${doctype}
      <d:multistatus xmlns:d="DAV:"><d:response><d:href>/work/</d:href><d:propstat>
        <d:prop><d:displayname>name: ${entity}</d:displayname></d:prop>
        <d:status>HTTP/1.1 200 OK</d:status>
      </d:propstat></d:response></d:multistatus>`,
  });

test.each([
  ["of a file", () => `<!DOCTYPE x [<!ENTITY entity SYSTEM "file:///etc/passwd">]>`],
  ["of another address", () => `<!DOCTYPE x [<!ENTITY entity SYSTEM "${url}entity">]>`],
  ["of a foreign document type", () => `<!DOCTYPE x SYSTEM "${url}dtd">`],
  ["that becomes a billion", () => `<!DOCTYPE x [<!ENTITY a0 "ha">${LAUGHS}<!ENTITY entity "&a9;">]>`],
])("a calendar server's answer with an XML entity %s is not read, and nothing is asked for it", async (_, doctype) => {
  expect(await read(doctype(), "&entity;")).toBeNull();
  expect(asked).toEqual([]);
  expect((await read(doctype(), "&lt;&#65;"))?.resources).toMatchObject([{ props: { displayname: "name: <A" } }]);
});

test("a calendar without a name is called by its address, also if that is not UTF-8", () => {
  expect(lastNameOf("https://dav.example/cal/B%C3%BCro/")).toBe("Büro");
  expect(lastNameOf("https://dav.example/cal/B%FCro/")).toBe("B%FCro");
});
