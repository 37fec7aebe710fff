import fs from "node:fs";
import { type Browser, chromium, type Page, type Request } from "playwright-core";

/**
 * The path of Chromium: `CHROMIUM`, or one of the usual places; undefined if it is not installed. The headless shell comes first:
 * it draws no windows of its own, and needs half of the processor time.
 */
export const CHROMIUM = [
  process.env.CHROMIUM,
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && fs.existsSync(path));

/** Is added to the names of tests that are skipped without a browser. */
export const WITHOUT_BROWSER = CHROMIUM ? "" : " (left out: no Chromium was found; set CHROMIUM to its path)";

/** A name of this machine that browsers do not take for it: a page there is not secure, as on a server without https. */
export const INSECURE_HOST = "desk.test";

/** Generous, because a busy machine may take long for a page. A test that hangs ends by its own limit. */
const PATIENCE_MS = 120_000;

let running: Promise<Browser> | undefined;

/** The browser of this worker, which its test files use one after the other. It ends with the worker. */
export const openBrowser = (): Promise<Browser> => (running ??= launch());

/** A page lives for seconds, so optimised code costs more than it saves. */
const UNOPTIMISED = "--js-flags=--no-maglev --no-turbofan";

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", UNOPTIMISED, `--host-resolver-rules=MAP ${INSECURE_HOST} 127.0.0.1`],
  });
  browser.on("context", (context) => {
    context.setDefaultTimeout(PATIENCE_MS);
    context.on("page", watchRequests);
  });
  return browser;
}

/** Closes what a test file has opened in the browser. The next file finds it empty. */
export async function closePages(): Promise<void> {
  for (const context of (await running)?.contexts() ?? []) await context.close();
}

const pending = new WeakMap<Page, Set<Request>>();

/** How many requests of a page have no answer yet. Its stream of events, which never ends, does not count. */
export function pendingOf(page: Page): number {
  const requests = pending.get(page);
  if (!requests) throw new Error("The page is not one of this worker's browser");
  return requests.size;
}

function watchRequests(page: Page): void {
  let requests = new Set<Request>();
  let leaving: Request | undefined;
  pending.set(page, requests);
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === "/api/events") return;
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) leaving = request;
    requests.add(request);
  });
  page.on("requestfinished", (request) => requests.delete(request));
  page.on("requestfailed", (request) => {
    requests.delete(request);
    if (request === leaving) leaving = undefined;
  });
  page.on("framenavigated", (frame) => {
    if (frame !== page.mainFrame() || !leaving) return;
    // What the document before it has asked for may never be said to have ended.
    requests = new Set(requests.has(leaving) ? [leaving] : []);
    pending.set(page, requests);
    leaving = undefined;
  });
}
