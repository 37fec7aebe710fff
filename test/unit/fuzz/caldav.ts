import http from "node:http";
import type { AddressInfo } from "node:net";

export interface CalendarServer {
  port: number;
  /** The events of its one calendar, by file name. */
  events: Map<string, string>;
  close(): Promise<void>;
}

const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** A CalDAV server with one calendar, `Bombed`, that reads nothing of what it stores. Radicale reads events itself, and takes as long for some of them. */
export async function startCalendarServer(): Promise<CalendarServer> {
  const events = new Map<string, string>();
  let changes = 0;
  const set = events.set.bind(events);
  events.set = (name, ics) => {
    changes++;
    return set(name, ics);
  };
  const response = (href: string, props: string): string =>
    `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;
  const event = (name: string, data: boolean): string =>
    response(
      `/cal/${name}`,
      `<d:getetag>"${name}"</d:getetag>${data ? `<c:calendar-data>${escaped(events.get(name)!)}</c:calendar-data>` : ""}`,
    );
  const calendar = (): string =>
    response(
      "/cal/",
      `<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:displayname>Bombed</d:displayname><d:sync-token>${changes}</d:sync-token>`,
    );
  const home = response(
    "/",
    "<d:current-user-principal><d:href>/</d:href></d:current-user-principal><c:calendar-home-set><d:href>/</d:href></c:calendar-home-set>",
  );
  const server = http.createServer((request, answer) => {
    const chunks: Buffer[] = [];
    request
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .on("end", () => {
        const body = Buffer.concat(chunks).toString();
        const asked = [...body.matchAll(/href>\/cal\/([^<]*)</g)].map(([, name]) => name!);
        const content =
          request.method === "PROPFIND"
            ? request.url === "/cal/"
              ? calendar()
              : home + (request.headers.depth === "1" ? calendar() : "")
            : (body.includes("multiget") ? asked.filter((name) => events.has(name)) : [...events.keys()])
                .map((name) => event(name, body.includes("multiget")))
                .join("");
        answer
          .writeHead(207, { "content-type": "application/xml; charset=utf-8" })
          .end(
            `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${content}<d:sync-token>${changes}</d:sync-token></d:multistatus>`,
          );
      });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    events,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
