import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';
import { exportJWK, generateKeyPair } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import type { Client } from '../support/client.js';

const AUDIENCE = 'urn:parley';
const claims = new Map<string, object>();

interface Issuer { url: string; token(client: string): Promise<string>; close(): Promise<void> }

/** A real OpenID provider, whose clients stand for people: each gets an access token (JWT) with the claims set for it. */
async function startIssuer(clients: string[]): Promise<Issuer> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: `key-${clients[0]}` };
  const configuration = (issuer: string) => new Provider(issuer, {
    jwks: { keys: [jwk] }, clients: clients.map((id) => ({ client_id: id, client_secret: 'secret', grant_types: ['client_credentials'], redirect_uris: [], response_types: [] })),
    features: {
      clientCredentials: { enabled: true }, devInteractions: { enabled: false },
      resourceIndicators: { enabled: true, getResourceServerInfo: (_context: unknown, resource: string) => ({ scope: 'api', audience: resource, accessTokenFormat: 'jwt', accessTokenTTL: 60 }) },
    },
    extraTokenClaims: (_context: unknown, token: { clientId?: string }) => claims.get(token.clientId ?? '') as never,
  } as never);
  // Its address is its name, so the port must be known before it is made.
  const server = createServer();
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const callback = configuration(url).callback();
  server.on('request', (request, response) => { void callback(request, response); });
  return {
    url,
    token: async (client) => {
      const response = await fetch(`${url}/token`, {
        method: 'POST', headers: { authorization: `Basic ${Buffer.from(`${client}:secret`).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', resource: client === 'stray' ? 'urn:other' : AUDIENCE, scope: 'api' }),
      });
      const body = (await response.json()) as { access_token?: string };
      if (!body.access_token) throw new Error(JSON.stringify(body));
      return body.access_token;
    },
    close: () => new Promise((resolve) => { server.closeAllConnections(); server.close(() => resolve()); }),
  };
}

let issuer: Issuer;
let stranger: Issuer;
let app: TestApp;
let tenant: TestTenant;
const as = async (client: string, from = issuer): Promise<Client> => app.client(await from.token(client));

beforeAll(async () => {
  [issuer, stranger] = await Promise.all([startIssuer(['owner', 'unverified', 'unknown', 'stray', 'agent']), startIssuer(['owner'])]);
  app = await startApp({ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE });
  tenant = await app.tenant();
  claims.set('owner', { email: tenant.ownerEmail.toUpperCase(), email_verified: true });
  claims.set('stray', { email: tenant.ownerEmail, email_verified: true });
  claims.set('unverified', { email: tenant.ownerEmail, email_verified: false });
  claims.set('unknown', { email: 'nobody@example.com', email_verified: true });
  claims.set('agent', { email: 'agent-of-issuer@example.com', email_verified: true });
});
afterAll(async () => {
  await app?.close();
  await Promise.all([issuer?.close(), stranger?.close()]);
});

test('a member signs in with the issuer’s token, found by the verified email, on the side that a header names', async () => {
  const owner = await as('owner');
  expect((await owner.get('/api/me', 200)).body).toMatchObject({ kind: 'member', role: 'owner', environment: 'live', tenantId: tenant.tenantId });
  expect((await owner.get('/api/me', 200, { headers: { 'x-environment': 'test' } })).body).toMatchObject({ environment: 'test', tenantId: tenant.testTenantId });
  await owner.get('/api/api-keys', 200);
});

test.each(['unverified', 'unknown', 'stray'])('a token of the issuer that is %s is refused', async (client) => {
  await (await as(client)).get('/api/me', 401);
});

test('a token of another issuer, and one that was changed, are refused', async () => {
  await (await as('owner', stranger)).get('/api/me', 401);
  const [header, payload, signature] = (await issuer.token('unknown')).split('.');
  const forged = Buffer.from(JSON.stringify({ ...(JSON.parse(Buffer.from(payload!, 'base64url').toString()) as object), email: tenant.ownerEmail })).toString('base64url');
  await app.client(`${header}.${forged}.${signature}`).get('/api/me', 401);
  const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
  await app.client(`${none}.${forged}.x`).get('/api/me', 401);
});

test('a removed member is refused, whatever the token says', async () => {
  const owner = await tenant.owner();
  const { body } = await owner.post('/api/members', { email: 'agent-of-issuer@example.com', name: 'Agent', role: 'agent', password: 'a long password' }, 201);
  const agent = await as('agent');
  await agent.get('/api/me', 200);
  await owner.delete(`/api/members/${body.id}`, 200);
  await agent.get('/api/me', 401);
});

test('while the issuer cannot be reached nobody is let in, and afterwards they are', async () => {
  const late = await startIssuer(['owner']);
  const other = await startApp({ OIDC_ISSUER: late.url, OIDC_AUDIENCE: AUDIENCE }, app.db);
  const token = await late.token('owner');
  const { port } = new URL(late.url);
  await late.close();
  await other.client(token).get('/api/me', 503);
  // The same place, another provider: its keys are others, so the token is no longer good, but it is looked at again.
  const back = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.url!.includes('openid-configuration') ? { issuer: late.url, jwks_uri: `${late.url}/jwks` } : { keys: [] }));
  });
  await new Promise<void>((resolve) => { back.listen(Number(port), '127.0.0.1', resolve); });
  await other.client(token).get('/api/me', 401);
  back.closeAllConnections();
  await new Promise<void>((resolve) => { back.close(() => resolve()); });
  await other.close();
});
