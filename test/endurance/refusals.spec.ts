import net from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshDatabase, type TestDatabase } from "../support/database.js";
import { closedPort } from "../support/ports.js";
import { everyNth } from "../support/sweep.js";
import {
  allowTimeForProcesses,
  cleanUp,
  main,
  newFolder,
  processesOn,
  ROOT,
  type Settings,
} from "../server/process/support.js";

allowTimeForProcesses();

// An operator's mistake is reported in one line with exit code 1, and no process stays behind.

let db: TestDatabase;
let taken: net.Server;
let takenPort: number;
beforeAll(async () => {
  db = await freshDatabase();
  taken = net.createServer();
  await new Promise<void>((resolve) => taken.listen(0, "localhost", resolve));
  takenPort = (taken.address() as net.AddressInfo).port;
});
afterAll(async () => {
  await cleanUp();
  taken.close();
  await db.drop();
});

/** The database's URL with some parts replaced. */
function altered(changes: { username?: string; password?: string; pathname?: string; port?: string }): string {
  return Object.assign(new URL(db.url), changes).href;
}

const CASES: Record<string, { settings: () => Promise<Settings> | Settings; says: RegExp }> = {
  "a port that is taken": {
    settings: () => ({ DATABASE_URL: db.url, PORT: takenPort }),
    says: /The port is taken: \S+:\d+\. Set PORT/,
  },
  "a host name that does not exist": {
    settings: () => ({ DATABASE_URL: db.url, HOST: "no.such.host.invalid" }),
    says: /no\.such\.host\.invalid/,
  },
  "a database that is not there": {
    settings: async () => ({ DATABASE_URL: altered({ port: String(await closedPort()) }) }),
    says: /DATABASE_URL cannot be used: .*ECONNREFUSED/,
  },
  "a wrong password": {
    settings: () => ({ DATABASE_URL: altered({ password: "guessed" }) }),
    says: /DATABASE_URL cannot be used: password authentication failed/,
  },
  "a role that does not exist": {
    settings: () => ({ DATABASE_URL: altered({ username: "nobody_known" }) }),
    says: /DATABASE_URL cannot be used: .*nobody_known/,
  },
  "a second login that is wrong": {
    settings: () => ({ DATABASE_URL: db.url, DATABASE_APP_URL: altered({ password: "guessed" }) }),
    says: /DATABASE_APP_URL cannot be used: password authentication failed/,
  },
  "a data folder that is a file": {
    settings: () => ({ DATA_DIR: path.join(ROOT, "package.json") }),
    says: /package\.json/,
  },
  "wrong settings, all of them at once": {
    settings: () => ({ PORT: "http", LOG_LEVEL: "loud" }),
    says: /Invalid setting: PORT must be an integer number; LOG_LEVEL must be one of/,
  },
  "production without SECRET_KEY": {
    settings: () => ({ DATABASE_URL: db.url, NODE_ENV: "production" }),
    says: /Missing secret: SECRET_KEY/,
  },
};

describe("one line on stderr, exit code 1, and the right reason, for", () => {
  test.concurrent.each(everyNth(Object.entries(CASES), 2))("%s", async (_name, { settings, says }) => {
    const dataDir = path.join(newFolder(), "data");
    const { code, stdout, stderr } = await main({ PORT: 0, DATA_DIR: dataDir, ...(await settings()) }).end();
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^parley: [^\n]+\n$/);
    expect(stderr).toMatch(says);
    expect(stderr, "no password is shown").not.toContain(new URL(db.url).password);
    expect(stderr).not.toContain("guessed");
    expect(processesOn(dataDir)).toEqual([]);
  });
});
