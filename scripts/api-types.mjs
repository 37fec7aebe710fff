// Writes test/support/openapi.d.ts: the types of openapi.json, for the client of the tests.
import fs from "node:fs";
import path from "node:path";
import openapiTypescript, { astToString } from "openapi-typescript";

const root = path.resolve(import.meta.dirname, "..");
const document = JSON.parse(fs.readFileSync(path.join(root, "openapi.json"), "utf8"));
fs.writeFileSync(path.join(root, "test/support/openapi.d.ts"), astToString(await openapiTypescript(document)));
