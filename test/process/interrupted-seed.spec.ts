import fs from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { walk } from '../e2e/support.js';
import type { Client } from '../support/client.js';
import { build, cleanUp, type Credentials, credentials, main, newFolder, ROOT, type Server, startServer, superuser, until } from './support.js';

// A first start that is killed while it fills the demo, twice: the third one completes it.

const turns = fs.readFileSync(path.join(ROOT, 'demo/star-excerpt.ndjson'), 'utf8').trim().split('\n').map((line) => (JSON.parse(line) as { turns: unknown[] }).turns.length);
const questions = (JSON.parse(fs.readFileSync(path.join(ROOT, 'demo/kb.json'), 'utf8')) as { question: string }[]).map(({ question }) => question);

const rows = async (client: pg.Client, table: string): Promise<number> => (await client.query(`select count(*)::int as count from ${table}`)).rows[0].count;

/** Connects to the database of a server that is starting, as soon as its tables are there. */
function asSoonAsPossible(dataDir: string): Promise<pg.Client> {
  return until(async () => {
    const client = await superuser(dataDir).catch(() => undefined);
    const there = await client?.query(`select to_regclass('purge_queue') is not null as ready`).catch(() => undefined);
    if (there?.rows[0].ready) return client;
    await client?.end().catch(() => undefined);
    return undefined;
  }, () => 'the tables were there');
}

/** Starts the server and ends it with kill -9 when `reached`, before it has printed anything. */
async function killedWhen(dataDir: string, reached: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const run = main({ DATA_DIR: dataDir, PORT: 0 });
  const client = await asSoonAsPossible(dataDir);
  await reached(client);
  expect(run.output().stdout).toBe('');
  await run.end('SIGKILL');
  await client.end().catch(() => undefined);
}

const inTheConversations = (client: pg.Client): Promise<unknown> => until(async () => (await rows(client, 'message')) > 40, () => 'some messages were there');

/** The fourth entry is held back, for as long as the table `hold` has a row, so that the kill meets a half-filled list. */
async function inTheKnowledge(client: pg.Client): Promise<void> {
  await client.query(`create table hold as select;
    create function hold_back() returns trigger language plpgsql security definer as $$ begin
      if exists (select from public.hold) and (select count(*) from public.kb_entry) >= 3 then perform pg_sleep(60); end if;
      return new;
    end $$;
    create trigger hold_back before insert on kb_entry for each row execute function hold_back()`);
  await until(async () => (await client.query(`select from pg_stat_activity where wait_event = 'PgSleep'`)).rowCount! > 0, () => 'the fourth entry was on its way');
  await client.query('truncate hold');
  expect(await rows(client, 'kb_entry')).toBe(3);
}

let dataDir: string;
let server: Server;
let printed: Credentials;
let live: Client;
let conversations: any[];
beforeAll(async () => {
  await build();
  dataDir = path.join(newFolder(), 'data');
  await killedWhen(dataDir, inTheConversations);
  await killedWhen(dataDir, inTheKnowledge);
  server = await startServer({ DATA_DIR: dataDir });
  printed = credentials(server);
  live = server.client(printed.live);
  conversations = await walk(live, '/api/conversations');
});
afterAll(cleanUp);

describe('the demo of a first start that was killed', () => {
  test('has every conversation, whole and once, on both sides', async () => {
    expect(conversations).toHaveLength(turns.length);
    const messages = await Promise.all(conversations.map(async ({ id }) => (await walk(live, `/api/conversations/${id}/messages`)).length));
    expect(messages.toSorted()).toEqual(turns.toSorted());
    expect(await walk(live, '/api/contacts')).toHaveLength(turns.length);
    expect(await walk(server.client(printed.test), '/api/conversations')).toHaveLength(3);
  });

  test('has all the knowledge, once', async () => {
    const [{ id }] = (await live.get('/api/workspaces', 200)).body;
    expect((await walk(live, `/api/workspaces/${id}/kb-entries`)).map(({ question }) => question).toSorted()).toEqual(questions.toSorted());
  });

  test('has the identity events of those who proved who they are, once', async () => {
    const proven = conversations.filter(({ assuranceLevel }) => assuranceLevel === 'identified');
    expect(proven.length).toBeGreaterThan(0);
    for (const { id, assuranceLevel } of conversations) {
      expect((await live.get(`/api/conversations/${id}/identity-events`, 200)).body.events).toHaveLength(assuranceLevel === 'identified' ? 6 : 0);
    }
  });

  test('is one tenant, whose printed sign-in and keys work', async () => {
    expect((await live.get('/api/workspaces', 200)).body).toHaveLength(1);
    expect((await server.client(printed.test).get('/api/workspaces', 200)).body).toHaveLength(1);
    const owner = await server.client().login(printed.email, printed.password);
    expect((await owner.get('/api/members', 200)).body).toHaveLength(1);
  });

  test('is complete once and for all: the next start prints no credentials, and those that were printed go on working', async () => {
    await server.end('SIGTERM');
    server = await startServer({ DATA_DIR: dataDir });
    expect(server.output().stdout).not.toMatch(/svc_|password/);
    expect(await walk(server.client(printed.live), '/api/conversations')).toEqual(conversations);
  });
});
