import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { assertComplete } from "../../../bench/reads/routes.mjs";

const openapi = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, "../../../openapi.json"), "utf8")) as {
  paths: Record<string, object>;
};

test("npm run bench -- reads measures each GET route, or says why not", () => {
  expect(() => assertComplete(openapi)).not.toThrow();
});

test("a route that it does not know is named", () => {
  expect(() => assertComplete({ paths: { ...openapi.paths, "/api/new-things": { get: {} } } })).toThrow(
    "/api/new-things is neither measured nor left out",
  );
});
