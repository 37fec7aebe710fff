import fs from "node:fs";
import { type Browser, chromium } from "playwright-core";

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

let running: Promise<Browser> | undefined;

/** The browser of this worker, which its test files use one after the other. It ends with the worker. */
export const openBrowser = (): Promise<Browser> =>
  (running ??= chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", `--host-resolver-rules=MAP ${INSECURE_HOST} 127.0.0.1`],
  }));

/** Closes what a test file has opened in the browser. The next file finds it empty. */
export async function closePages(): Promise<void> {
  for (const context of (await running)?.contexts() ?? []) await context.close();
}
