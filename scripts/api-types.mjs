// Writes test/support/openapi.d.ts: the types of openapi.json, for the client of the tests.
import fs from "node:fs";
import path from "node:path";
import openapiTypescript, { astToString } from "openapi-typescript";

const root = path.resolve(import.meta.dirname, "..");
const folder = path.join(root, "test/support");
// Types need no examples of bodies and answers.
const document = JSON.parse(fs.readFileSync(path.join(root, "openapi.json"), "utf8"), function (key, value) {
  return key === "example" && "schema" in this && !("in" in this) ? undefined : value;
});
// An installation without tests needs no types for them.
if (fs.existsSync(folder))
  fs.writeFileSync(path.join(folder, "openapi.d.ts"), astToString(await openapiTypescript(document)));
