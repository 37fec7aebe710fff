import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { walk } from '../e2e/support.js';
import { build, cleanUp, credentials, newFolder, parley, postgresOf, processesOn, ROOT, startServer, userOf } from './support.js';

const nobody = { uid: 65_534, gid: 65_534 };
/** Root may be anybody, but not everybody may read a checkout in root's home. */
const canBeNobody = process.getuid?.() === 0 && spawnSync(process.execPath, ['-e', `require('fs').readFileSync('package.json')`], { ...nobody, cwd: ROOT, stdio: 'ignore' }).status === 0;

beforeAll(build);
afterAll(cleanUp);

describe.skipIf(!canBeNobody)('an ordinary user (needs root, to become one, and a checkout that everybody may read)', () => {
  test('starts, signs in, uses the command line, and stops, with everything in files of the user\'s own', async () => {
    const dataDir = path.join(newFolder(nobody), 'data');
    const server = await startServer({ DATA_DIR: dataDir }, nobody);
    const printed = credentials(server);
    expect(await walk(server.client(printed.live), '/api/conversations')).toHaveLength(24);
    await server.client().login(printed.email, printed.password);
    expect([userOf(server.pid), userOf(postgresOf(dataDir))]).toEqual([nobody.uid, nobody.uid]);
    const files = [dataDir, 'secrets.json', 'postgres'].map((file) => fs.statSync(path.resolve(dataDir, file)).uid);
    expect(new Set(files)).toEqual(new Set([nobody.uid]));

    const { code, stdout } = await parley(['tenant', 'create', '--name', 'Nobody Ltd', '--owner-email', 'nobody@example.com', '--json'], { DATA_DIR: dataDir }, nobody);
    expect(code).toBe(0);
    await server.client(JSON.parse(stdout).apiKeys.live).get('/api/workspaces', 200);
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0 });
    expect(processesOn(dataDir)).toEqual([]);
  });
});
