import fs from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Where a Chromium is on this machine: `CHROMIUM`, or one of the usual places; undefined where there is none. */
export const CHROMIUM = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && fs.existsSync(path));

/** Stands in the names of tests that are left out without one. */
export const WITHOUT_BROWSER = CHROMIUM ? "" : " (left out: no Chromium was found; set CHROMIUM to its path)";

export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
