import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { get, httpLoad } from '../load.mjs';
import { rawKey, WORKSPACES } from '../seed.mjs';

const CONNECTIONS = 32;
const PATH = '/api/conversations?limit=25';

/** The same, asked again with the ETag of an answer that still holds. */
export default {
  name: 'poll', what: 'unchanged poll (304), 300 workspaces’ keys', against: 'a bare node http server', floor: 0.25, goal: 0.5,
  async prepare({ server }) {
    this.port = server.port;
    this.keys = Array.from({ length: WORKSPACES }, (_, n) => rawKey('w', n + 1));
    this.bare = http.createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
    await new Promise((resolve) => this.bare.once('listening', resolve));
  },
  async ours(seconds, { queries }) {
    // ETags hold for as long as nothing changes, and a minute at the most: fetched anew for each round.
    const requests = [];
    for (const key of this.keys) {
      const response = await fetch(`http://127.0.0.1:${this.port}${PATH}`, { headers: { authorization: `Bearer ${key}` } });
      await response.arrayBuffer();
      requests.push(get(PATH, key, { 'If-None-Match': response.headers.get('etag') }));
    }
    // What the fetches above did is counted up to a second late.
    await sleep(1_500);
    const before = await queries();
    const result = await httpLoad({ port: this.port, connections: CONNECTIONS, seconds, requests, statuses: [304], awake: true });
    await sleep(1_500);
    return { ...result, note: `${Math.max(0, await queries() - before)} statements on the tables for ${result.count} polls, ${result.other} not 304` };
  },
  baseline(seconds) {
    return httpLoad({ port: this.bare.address().port, connections: CONNECTIONS, seconds, requests: [get('/', 'x')], awake: true });
  },
  close() { this.bare.close(); },
};
