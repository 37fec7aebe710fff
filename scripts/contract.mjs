// Writes everything that follows from the code of the API, in the order in which one needs the other: the types of rows, openapi.json
// with what is made of it, the statements of each route, and the examples, which openapi.json shows.
// What the files say is not checked here: read the diff.
import { spawnSync } from "node:child_process";

const run = (command, ...args) => {
  console.log(`\n> ${[command, ...args].join(" ")}`);
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
};
// Only what records: the tests beside it read the document as it was.
const RECORD = ["-u", "-t", "each (operation has an example|route sends the statements)"];

run("npm", "run", "--silent", "rows");
run("npm", "run", "--silent", "openapi");
run(
  "npx",
  "vitest",
  "run",
  "--configLoader",
  "runner",
  "test/server/contract/sql.spec.ts",
  "test/server/contract/examples",
  ...RECORD,
);
run("npm", "run", "--silent", "openapi");
