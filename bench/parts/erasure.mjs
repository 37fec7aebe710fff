import { hashApiKey } from '../../dist/src/auth/api-keys/api-key.js';
import { id, KIND, rawKey } from '../seed.mjs';

const EVENTS = 10_000;
const CONVERSATIONS = 100;
const ROUNDS = 7;
const [TENANT, BRAND, WORKSPACE, CHANNEL] = ['tenant', 'brand', 'workspace', 'channel'].map((kind) => id(KIND[kind], 1));

/** From `POST /api/contacts/{id}/erasure` to its answer, when everything is gone, of a person with ten thousand identity events. */
export default {
  name: 'erasure', what: `erasure of a person with ${EVENTS.toLocaleString('en')} identity events in ${CONVERSATIONS} conversations (ms)`, against: 'one plain DELETE of as many events, by their index', floor: '≤ 2.5; ≤ 100 ms', goal: '≤ 1.5',
  async measure({ server, client, log }) {
    const key = await this.makeKey(client);
    const people = [];
    const rounds = [];
    try {
      // The first warms up what is compiled and prepared once.
      for (let round = 0; round <= ROUNDS; round++) {
        const [erased, deleted] = [await this.makePerson(client), await this.makePerson(client)];
        people.push(erased, deleted);
        const times = { ours: await this.erase(server, key, erased), plain: await this.delete(client, deleted) };
        const { rowCount: left } = await client.query('select from identity_event where tenant_id = $1 and factor_bound_to_principal = any($2)', [TENANT, [erased, deleted]]);
        if (left) throw new Error(`${left} events are left`);
        log(`erasure ${round}: ${times.ours.toFixed(1)} ms, DELETE ${times.plain.toFixed(1)} ms`);
        if (round) rounds.push(times);
      }
    } finally {
      await this.clean(client, key, people);
    }
    const median = (of) => rounds.map(of).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
    const [ours, plain] = [median((round) => round.ours), median((round) => round.plain)];
    return { ratio: Number(median((round) => round.ours / round.plain).toFixed(2)), p50: Number(ours.toFixed(1)), p99: Number(Math.max(...rounds.map((round) => round.ours)).toFixed(1)), note: `DELETE ${plain.toFixed(1)} ms; the slowest of ${ROUNDS} stands under p99` };
  },
  async makeKey(client) {
    const raw = rawKey('e', 1);
    await client.query(`insert into api_key (tenant_id, id, name, prefix, scopes) values ($1, $2, 'bench erasure', $3, '{contacts:write}')`, [TENANT, id(KIND.key, 1), raw.slice(0, 16)]);
    await client.query(`insert into api_key_lookup (hash, tenant_id, api_key_id) values (decode($1, 'hex'), $2, $3)`, [hashApiKey(raw), TENANT, id(KIND.key, 1)]);
    return raw;
  },
  async makePerson(client) {
    const { rows: [{ id: contact }] } = await client.query(`insert into contact (tenant_id, id, name) values ($1, gen_random_uuid(), 'Ada') returning id`, [TENANT]);
    await client.query(`with conversations as (
        insert into conversation (tenant_id, id, workspace_id, brand_id, channel_id, contact_id) select $1, gen_random_uuid(), $2, $3, $4, $5 from generate_series(1, $6::int) returning id)
      select from conversations`, [TENANT, WORKSPACE, BRAND, CHANNEL, contact, CONVERSATIONS]);
    await client.query(`insert into identity_event (tenant_id, id, workspace_id, conversation_id, occurred_at, event_type, factor_category, factor_bound_to_principal, evidence_ref, transition_key)
      select $1, gen_random_uuid(), $2, c.id, now() - n * interval '1 hour', 'kbv_question_asked', 'knowledge', $3, 'tool:contact_attributes', gen_random_uuid()::text
      from conversation c, generate_series(1, $4::int) n where c.tenant_id = $1 and c.contact_id = $3`, [TENANT, WORKSPACE, contact, EVENTS / CONVERSATIONS]);
    return contact;
  },
  async erase(server, key, contact) {
    const began = performance.now();
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/contacts/${contact}/erasure`, { method: 'POST', headers: { authorization: `Bearer ${key}` } });
    const { erased } = await answer.json();
    const took = performance.now() - began;
    if (erased?.identityEvents !== EVENTS) throw new Error(`the erasure answered ${answer.status} and removed ${erased?.identityEvents} events`);
    return took;
  },
  async delete(client, contact) {
    const began = performance.now();
    await client.query('delete from identity_event where tenant_id = $1 and factor_bound_to_principal = $2', [TENANT, contact]);
    return performance.now() - began;
  },
  /** Leaves the rows as the other parts know them. */
  async clean(client, key, people) {
    for (const [table, column] of [['erased_contact', 'id'], ['erasure_request', 'contact_id'], ['conversation', 'contact_id'], ['contact', 'id']]) await client.query(`delete from ${table} where tenant_id = $1 and ${column} = any($2)`, [TENANT, people]);
    await client.query(`delete from api_key_lookup where hash = decode($1, 'hex')`, [hashApiKey(key)]);
    await client.query('delete from api_key where tenant_id = $1 and id = $2', [TENANT, id(KIND.key, 1)]);
  },
};
