import { afterAll, beforeAll, expect, test } from 'vitest';
import { attach, askForNames, sideOf } from '../contract/fixtures.js';
import { raise } from '../../src/attention/raise.js';
import { startApp, type TestApp } from '../support/app.js';
import { newAgent, newWorkspace, start } from './support.js';

let app: TestApp;
beforeAll(async () => { app = await startApp(); });
afterAll(() => app.close());

test('the export of a person holds all that the API shows of them, wherever it is and whatever was merged, and nothing of others', async () => {
  const tenant = await app.tenant();
  const { live: key, defaults: { workspaceId, brandId } } = tenant;
  const owner = await tenant.owner();
  const side = await sideOf(tenant);
  const elsewhere = await newWorkspace(key, brandId);
  await askForNames(owner, elsewhere.id);
  const first = await start(key, workspaceId, { contact: { name: 'Ada', emails: ['ada@example.com'], attributes: { plan: 'gold' } }, message: { body: 'First' } });
  const second = await start(key, elsewhere.id, { contact: { name: 'Ada', phones: ['+4930901820'] }, message: { body: 'Second' } });
  const stranger = await start(key, workspaceId, { contact: { name: 'Charles' }, message: { body: 'Not hers' } });
  await key.post(`/api/conversations/${first.id}/notes`, { body: 'A note' }, 201);
  await attach(side, first.id);
  for (const { id } of [first, second, stranger]) await key.post(`/api/conversations/${id}/verification/questions`, {}, 200);
  await app.transaction(tenant.tenantId, (tx) => raise(tx, { conversationId: second.id, type: 'handoff_requested', severity: 'high', reason: 'She asks for a person' }));
  await key.post(`/api/contacts/${first.contactId}/merge`, { sourceContactId: second.contactId }, 200);

  const { body, headers, text } = await owner.get(`/api/contacts/${first.contactId}/export`, 200);
  expect(headers.get('content-disposition')).toBe('attachment; filename="contact.json"');
  const read = async (path: string): Promise<any> => (await key.get(path, 200)).body;
  expect(body.contacts).toEqual([await read(`/api/contacts/${first.contactId}`), await read(`/api/contacts/${second.contactId}`)]);
  expect(body.conversations).toEqual(await Promise.all([first, second].map(async ({ id }) => ({ ...(await read(`/api/conversations/${id}`)), messages: (await read(`/api/conversations/${id}/messages`)).data }))));
  expect(body.conversations[0].messages.map((message: any) => message.body)).toEqual(['First', 'A note', 'See there']);
  expect(body.conversations[0].messages[2].attachments).toHaveLength(1);
  expect(body.identityEvents).toEqual([...(await read(`/api/conversations/${first.id}/identity-events`)).events, ...(await read(`/api/conversations/${second.id}/identity-events`)).events]);
  expect(body.attentionItems).toEqual((await read(`/api/attention-items?conversationId=${second.id}`)).data);
  expect(text).not.toContain(stranger.id);
  expect(text).not.toContain('Not hers');
  // The merged one is the same person.
  expect((await owner.get(`/api/contacts/${second.contactId}/export`, 200)).text).toBe(text);
});

test('only owners and admins export, and nothing of who was deleted or erased', async () => {
  const tenant = await app.tenant();
  const owner = await tenant.owner();
  const [one, two] = [await start(tenant.live, tenant.defaults.workspaceId), await start(tenant.live, tenant.defaults.workspaceId)];
  await tenant.live.get(`/api/contacts/${one.contactId}/export`, 403);
  await (await newAgent(owner, [tenant.defaults.workspaceId])).get(`/api/contacts/${one.contactId}/export`, 403);
  await tenant.live.delete(`/api/contacts/${one.contactId}`, 200);
  await tenant.live.post(`/api/contacts/${two.contactId}/erasure`, undefined, 200);
  for (const { contactId } of [one, two]) await owner.get(`/api/contacts/${contactId}/export`, 404);
});
