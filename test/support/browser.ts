import fs from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** The path of Chromium: `CHROMIUM`, or one of the usual places; undefined if it is not installed. */
export const CHROMIUM = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && fs.existsSync(path));

/** Is added to the names of tests that are skipped without a browser. */
export const WITHOUT_BROWSER = CHROMIUM ? "" : " (left out: no Chromium was found; set CHROMIUM to its path)";

/** A name of this machine that browsers do not take for it: a page there is not secure, as on a server without https. */
export const INSECURE_HOST = "desk.test";

export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", `--host-resolver-rules=MAP ${INSECURE_HOST} 127.0.0.1`],
  });
