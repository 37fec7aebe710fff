// Lints openapi.json with Redocly's recommended rules. An exception needs a reason.
import path from "node:path";
import { createConfig, lint } from "@redocly/openapi-core";

const EXCEPTIONS = [
  {
    rule: "operation-4xx-response",
    at: /^#\/paths\/[^/]+\/(get|delete)\/responses$/,
    why: "It takes no input, so it can only fail as nearly every operation can: `default`. A probe cannot even do that.",
  },
  {
    rule: "no-unused-components",
    at: /^#\/components\/schemas\/ContactExport$/,
    why: "It describes a file inside the ZIP archive of contacts.export, which OpenAPI cannot refer to.",
  },
];

const ref = path.resolve(import.meta.dirname, "../openapi.json");
const problems = await lint({ ref, config: await createConfig({ extends: ["recommended"] }) });
const used = new Set();
let faults = 0;
for (const { ruleId, message, location } of problems) {
  const pointer = location[0]?.pointer ?? "";
  const exception = EXCEPTIONS.find(({ rule, at }) => rule === ruleId && at.test(pointer));
  if (exception) used.add(exception);
  else console.error(`${pointer}: ${message} (${ruleId})`, ++faults && "");
}
for (const exception of EXCEPTIONS)
  if (!used.has(exception))
    console.error(`The exception from ${exception.rule} is not needed any more`, ++faults && "");
process.exit(faults ? 1 : 0);
