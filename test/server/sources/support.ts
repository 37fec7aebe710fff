import http from "node:http";
import type { AddressInfo } from "node:net";
import { SourcesJob } from "../../../src/knowledge/sources/sources.job.js";
import type { Schemas } from "../../support/api-types.js";
import type { TestApp } from "../../support/app.js";
import type { Client } from "../../support/client.js";

type Answer = string | { status?: number; type?: string; body?: string | Buffer; headers?: Record<string, string> };

export interface Site {
  /** What each path answers with; 404 for all others. A function answers itself. */
  pages: Record<string, Answer | http.RequestListener>;
  /** The paths that were asked for, in their order. */
  asked: string[];
  requests: http.IncomingMessage[];
  /** The most requests at one time. */
  atOnce: number;
  port: number;
  url: (path?: string) => string;
  close: () => Promise<void>;
}

/** A real web server on loopback. */
export async function startSite(pages: Site["pages"] = {}): Promise<Site> {
  let open = 0;
  const server = http.createServer((request, response) => {
    site.asked.push(request.url!);
    site.requests.push(request);
    site.atOnce = Math.max(site.atOnce, ++open);
    response.on("close", () => open--);
    const page = site.pages[request.url!];
    if (typeof page === "function") return void page(request, response);
    const {
      status = page === undefined ? 404 : 200,
      type = "text/html",
      body,
      headers,
    } = typeof page === "string" ? { body: page } : (page ?? {});
    response.writeHead(status, { "content-type": type, ...headers }).end(body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const site: Site = {
    pages,
    asked: [],
    requests: [],
    atOnce: 0,
    port,
    url: (path = "/") => `http://127.0.0.1:${port}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return site;
}

/** A page that answers questions. */
export const page = (answers: Record<string, string>, links: readonly string[] = []): string =>
  `<!doctype html><html lang="en"><title>Help</title><main>${Object.entries(answers)
    .map(([question, answer]) => `<h2>${question}</h2><p>${answer}</p>`)
    .join("")}</main><nav>${links.map((link) => `<a href="${link}">${link}</a>`).join("")}</nav></html>`;

/** Reads what is due. @returns the source, as it is then */
export async function readDue(app: TestApp, client: Client, id: string, node = app): Promise<Schemas["Source"]> {
  await node.app.get(SourcesJob).tick();
  return (await client.get(`/api/sources/${id}`, 200)).body;
}

/** Reads a source again. */
export async function readAgain(app: TestApp, client: Client, id: string): Promise<Schemas["Source"]> {
  await client.post(`/api/sources/${id}/read`, undefined, 200);
  return readDue(app, client, id);
}

/** Adds the pages of a site, and reads them. */
export async function addSite(
  app: TestApp,
  client: Client,
  workspaceId: string,
  url: string,
): Promise<Schemas["Source"]> {
  const { body } = await client.post(`/api/workspaces/${workspaceId}/sources`, { kind: "website", url }, 201);
  return readDue(app, client, body.id);
}

/** What waits for a review, oldest first. */
export async function pendingOf(client: Client, workspaceId: string, sourceId?: string): Promise<Schemas["KbEntry"][]> {
  const at = `/api/workspaces/${workspaceId}/kb-entries/pending`;
  return (await client.get<Schemas["KbEntry"][]>(sourceId === undefined ? at : `${at}?sourceId=${sourceId}`, 200)).body;
}
