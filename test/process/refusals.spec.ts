import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { build, cleanUp, freePort, main, newFolder, parley, processesOn, type Settings } from './support.js';

// What an operator gets wrong is answered by one line and exit code 1, and nothing is left running.

let db: TestDatabase;
let taken: net.Server;
let takenPort: number;
beforeAll(async () => {
  await build();
  db = await freshDatabase();
  taken = net.createServer();
  await new Promise<void>((resolve) => taken.listen(0, 'localhost', resolve));
  takenPort = (taken.address() as net.AddressInfo).port;
});
afterAll(async () => {
  await cleanUp();
  taken.close();
  await db.drop();
});

/** The database's address with something else in it. */
function altered(changes: { username?: string; password?: string; pathname?: string; port?: string }): string {
  return Object.assign(new URL(db.url), changes).href;
}

const CASES: Record<string, { settings: () => Promise<Settings> | Settings; says: RegExp }> = {
  'a port that is taken': { settings: () => ({ DATABASE_URL: db.url, PORT: takenPort }), says: /The port is taken: \S+:\d+\. Set PORT/ },
  'a host name that does not exist': { settings: () => ({ DATABASE_URL: db.url, HOST: 'no.such.host.invalid' }), says: /no\.such\.host\.invalid/ },
  'a database that is not there': { settings: async () => ({ DATABASE_URL: altered({ port: String(await freePort()) }) }), says: /DATABASE_URL cannot be used: .*ECONNREFUSED/ },
  'a wrong password': { settings: () => ({ DATABASE_URL: altered({ password: 'guessed' }) }), says: /DATABASE_URL cannot be used: password authentication failed/ },
  'a role that does not exist': { settings: () => ({ DATABASE_URL: altered({ username: 'nobody_known' }) }), says: /DATABASE_URL cannot be used: .*nobody_known/ },
  'a second login that is wrong': { settings: () => ({ DATABASE_URL: db.url, DATABASE_APP_URL: altered({ password: 'guessed' }) }), says: /DATABASE_APP_URL cannot be used: password authentication failed/ },
  'wrong settings, all of them at once': { settings: () => ({ PORT: 'http', LOG_LEVEL: 'loud' }), says: /Invalid setting: PORT must be an integer number; LOG_LEVEL must be one of/ },
  'production without SECRET_KEY': { settings: () => ({ DATABASE_URL: db.url, NODE_ENV: 'production' }), says: /Missing secret: SECRET_KEY/ },
};

describe('one line on the error output, exit code 1, and the right reason, for', () => {
  test.concurrent.each(Object.entries(CASES))('%s', async (_name, { settings, says }) => {
    const dataDir = path.join(newFolder(), 'data');
    const { code, stdout, stderr } = await main({ PORT: 0, DATA_DIR: dataDir, ...(await settings()) }).end();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^parley: [^\n]+\n$/);
    expect(stderr).toMatch(says);
    expect(stderr, 'no password is shown').not.toContain(new URL(db.url).password);
    expect(stderr).not.toContain('guessed');
    expect(processesOn(dataDir)).toEqual([]);
  });
});

describe('the embedded database', () => {
  test('is brought down again where the server cannot listen: the reason is the last line, and no process is left', async () => {
    const dataDir = path.join(newFolder(), 'data');
    const { code, stdout, stderr } = await main({ DATA_DIR: dataDir, PORT: takenPort }).end();
    const lines = stderr.trimEnd().split('\n');
    expect({ code, stdout, running: processesOn(dataDir) }).toEqual({ code: 1, stdout: '', running: [] });
    expect(lines.at(-1)).toMatch(/^parley: The port is taken/);
    // Before it, nothing but what the database said as it came up.
    expect(lines.slice(0, -1).filter((line) => !/^(creating a PostgreSQL cluster in|PostgreSQL runs on) /.test(line))).toEqual([]);
  });

  test('that cannot be made is one line', async () => {
    const file = path.join(newFolder(), 'file');
    fs.writeFileSync(file, '');
    const { code, stdout, stderr } = await main({ DATA_DIR: file, PORT: 0 }).end();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^parley: [^\\n]*${file}[^\\n]*\\n$`));
  });
});

test('the command line refuses in the same way', async () => {
  const { code, stdout, stderr } = await parley(['sweep'], { DATABASE_URL: altered({ password: 'guessed' }) });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^parley: DATABASE_URL cannot be used: password authentication failed[^\n]+\n$/);
});
