import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { OutboxWorker } from '../../src/outbox/outbox.worker.js';
import { startApp, type TestApp } from '../support/app.js';

interface Received { to: string[]; text: string }

/** A real mail server, which takes or refuses what it is told to. */
async function startMailServer(): Promise<{ port: number; received: Received[]; refuse: boolean; close(): Promise<void> }> {
  const state = { port: 0, received: [] as Received[], refuse: false, close: () => new Promise<void>((resolve) => server.close(() => resolve())) };
  const options: SMTPServerOptions = {
    authOptional: true, disabledCommands: ['STARTTLS'], logger: false,
    onRcptTo: (_address, _session, done) => done(state.refuse ? Object.assign(new Error('Mailbox busy'), { responseCode: 450 }) : null),
    onData: (stream, session, done) => {
      let text = '';
      stream.on('data', (chunk: Buffer) => { text += chunk.toString(); });
      stream.on('end', () => {
        state.received.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  };
  const server = new SMTPServer(options);
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  state.port = (server.server.address() as { port: number }).port;
  return state;
}

let mail: Awaited<ReturnType<typeof startMailServer>>;
let a: TestApp;
let b: TestApp;
beforeAll(async () => {
  mail = await startMailServer();
  a = await startApp({ SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: 'Parley <hello@parley.example>', PUBLIC_URL: 'https://parley.example' });
  b = await startApp({ SMTP_URL: `smtp://127.0.0.1:${mail.port}` }, a.db);
});
afterAll(async () => {
  await b?.close();
  await a?.close();
  await mail?.close();
});
beforeEach(() => { mail.received.length = 0; mail.refuse = false; });

const send = (app: TestApp): Promise<void> => app.app.get(OutboxWorker).tick();
/** The text of a mail in quoted-printable, unfolded. */
const readable = (text: string): string => text.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

test('an invitation of the live side is mailed once, and its token sets the password', async () => {
  const owner = await (await a.tenant()).owner();
  await owner.post('/api/members', { email: 'grace@example.com', name: 'Grace', role: 'agent' }, 201);
  await send(a);
  await send(b);
  expect(mail.received.map(({ to }) => to)).toEqual([['grace@example.com']]);
  const text = readable(mail.received[0]!.text);
  expect(text).toContain('From: Parley <hello@parley.example>');
  expect(text).toContain('Subject: Your invitation to Parley');
  expect(text).toMatch(/Message-ID: <[0-9a-f-]{36}@parley>/i);
  const token = /https:\/\/parley\.example\/invitation#([\w-]+)/.exec(text)![1]!;
  await a.client().post('/api/auth/password', { token, password: 'a new password' }, 200);
  await a.client().login('grace@example.com', 'a new password');
});

test('what the mail server refuses for now is sent later, under the same Message-ID', async () => {
  const owner = await (await a.tenant()).owner();
  mail.refuse = true;
  await owner.post('/api/members', { email: 'later@example.com', name: 'Later', role: 'agent' }, 201);
  await send(a);
  const [waiting] = await a.db.query<{ attempts: number; status: string; last_error: string; later: boolean }>(
    `select m.attempts, m.status, m.last_error, q.due_at > now() as later from outbox_message m join outbox_queue q on q.id = m.id`);
  expect(waiting).toMatchObject({ attempts: 1, status: 'queued', later: true });
  expect(waiting!.last_error).toContain('Mailbox busy');
  mail.refuse = false;
  await send(a);
  expect(mail.received).toEqual([]);
  await a.db.query('update outbox_queue set due_at = now()');
  await send(a);
  expect(mail.received.map(({ to }) => to)).toEqual([['later@example.com']]);
  expect(await a.db.query('select from outbox_queue')).toEqual([]);
});

test('two workers at once deliver each mail once', async () => {
  const owner = await (await a.tenant()).owner();
  const addresses = Array.from({ length: 20 }, (_, n) => `crowd-${n}@example.com`);
  for (const email of addresses) await owner.post('/api/members', { email, name: 'Crowd', role: 'agent' }, 201);
  await Promise.all([send(a), send(b)]);
  expect(mail.received.flatMap(({ to }) => to).sort()).toEqual([...addresses].sort());
});

test('the test side delivers nothing: the mail is captured, and readable there alone', async () => {
  const tenant = await a.tenant();
  const owner = await tenant.owner('test');
  await owner.post('/api/members', { email: 'captured@example.com', name: 'Captured', role: 'agent' }, 201);
  await send(a);
  expect(mail.received).toEqual([]);
  const { body } = await owner.get('/api/captured-messages', 200);
  expect(body.data).toMatchObject([{ channel: 'email', to: 'captured@example.com', subject: 'Your invitation to Parley' }]);
  await (await tenant.owner('live')).get('/api/captured-messages', 404);
});
