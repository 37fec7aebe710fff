import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';

let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => { app = await startApp(); tenant = await app.tenant(); });
afterAll(() => app.close());

test('a conversation is started once for an externalId, and the repeat is answered 200 with the same one', async () => {
  const body = { workspaceId: tenant.defaults.workspaceId, externalId: 'c-1', contact: { externalId: 'p-1', name: 'Ada' }, message: { body: 'Hello' } };
  const first = await tenant.live.post('/api/conversations', body, 201);
  const again = await tenant.live.post('/api/conversations', { ...body, subject: 'other' }, 200);
  expect(again.body).toEqual(first.body);
  expect(first.body).toMatchObject({ status: 'open', handlingMode: 'assistant', messageCount: 1, unreadCount: 1, lastMessagePreview: 'Hello' });
});
