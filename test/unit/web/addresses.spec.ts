import fs from "node:fs";
import { expect, test } from "vitest";
import { PAGES } from "../../../src/platform/http/dashboard.js";

// Loaded by its address, a page that the server does not know has the status 404, though its script shows it.
test("the server answers the address of each page of the dashboard", () => {
  const router = fs.readFileSync(new URL("../../../web/src/router.tsx", import.meta.url), "utf8");
  const paths = [...router.matchAll(/\bpage\("(\/[a-z-]+)|\bpath: "(\/?[a-z-]+)/g)].map(
    (found) => found[1] ?? found[2]!,
  );
  expect(paths.length).toBeGreaterThan(12);
  expect(paths.filter((path) => path.startsWith("/") && !PAGES.includes(path))).toEqual([]);
});
