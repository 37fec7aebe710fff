import { randomBytes } from "node:crypto";
import fs from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { INestApplicationContext } from "@nestjs/common";
import { hashPassword } from "../auth/sessions/password.js";
import { system } from "../platform/caller/caller.js";
import { ROOT } from "../platform/config/root.js";
import { Database } from "../platform/database/database.js";
import { sql, TENANT } from "../platform/database/sql.js";
import { query } from "../platform/database/statements.js";
import { recordIdentityEvent } from "../identity/events/identity-event.js";
import { FIND_TENANT, ProvisioningService } from "../workspaces/provisioning/provisioning.service.js";
import { ApiClient } from "../replay/client.js";
import { readLines } from "../replay/lines.js";
import { firstActiveWorkspace, replay } from "../replay/replay.js";

const EXTERNAL_ID = "parley-demo";
const EMAIL = "owner@demo.example";

/** What a newcomer signs in and calls with; shown once, since only hashes are kept. */
export interface DemoCredentials {
  email: string;
  password: string;
  liveKey: string;
  testKey: string;
}

/**
 * Makes the demo tenant; one that a crash left half made is completed.
 * @param beside also in a database that has other tenants
 * @returns undefined where there is nothing to do
 */
export async function prepareDemo(
  app: INestApplicationContext,
  { beside }: { beside: boolean },
): Promise<DemoCredentials | undefined> {
  const db = app.get(Database);
  const [state] = await db.global<{ tenants: number; done: boolean; tenantId: string | null }>(
    `select count(*)::int as tenants, exists (select from job_run where name = 'demo') as done,
      (select id from tenant where external_id = $1) as "tenantId" from tenant`,
    [EXTERNAL_ID],
  );
  const { tenants, done, tenantId } = state!;
  if (done || (tenants > 0 && !tenantId && !beside)) return undefined;
  const password = randomBytes(12).toString("base64url");
  if (!tenantId) {
    const made = await app.get(ProvisioningService).create({
      name: "Demo",
      externalId: EXTERNAL_ID,
      owner: { email: EMAIL, name: "Olivia Owner", password },
      withKeys: true,
    });
    return { email: EMAIL, password, liveKey: made!.keys!.live, testKey: made!.keys!.test };
  }
  return completeDemo(app, tenantId, password);
}

/** New credentials for the half-made tenant: nobody has seen the first ones. */
async function completeDemo(
  app: INestApplicationContext,
  tenantId: string,
  password: string,
): Promise<DemoCredentials> {
  const provisioning = app.get(ProvisioningService);
  const passwordHash = await hashPassword(password);
  const [test] = await app
    .get(Database)
    .global<{ id: string }>(`select id from tenant where organisation_id = $1 and environment = 'test'`, [tenantId]);
  return app.get(Database).transaction(system("demo", tenantId, "live"), async (tx) => {
    await tx.query(
      "update member set password_hash = :passwordHash where organisation_id = :tenant and email = :email",
      { passwordHash, email: EMAIL },
    );
    const liveKey = await provisioning.key(tx);
    return {
      email: EMAIL,
      password,
      liveKey,
      testKey: await provisioning.key(await tx.actingFor(system("demo", test!.id, "test"))),
    };
  });
}

/** Plays the demo's conversations, knowledge and policies in through the public API, and marks the demo as complete. */
export async function fillDemo(
  app: INestApplicationContext,
  baseUrl: string,
  { liveKey, testKey }: DemoCredentials,
): Promise<void> {
  const file = fileURLToPath(new URL("demo/star-excerpt.ndjson", ROOT));
  const live = new ApiClient({ baseUrl, key: liveKey });
  const workspaceId = await firstActiveWorkspace(live);
  await replay({ lines: await readLines(file), client: live, workspaceId });
  const test = new ApiClient({ baseUrl, key: testKey });
  await replay({ lines: await readLines(file), client: test, workspaceId: await firstActiveWorkspace(test), limit: 3 });
  await addEntries(live, `/api/workspaces/${workspaceId}/kb-entries`, "demo/kb.json", "question");
  await addEntries(live, `/api/workspaces/${workspaceId}/policy-entries`, "demo/policies.json", "title");
  await proveDemoCallers(app);
  await app
    .get(Database)
    .global(
      `insert into job_run (name, started_at, finished_at, result) values ('demo', now(), now(), '{}') on conflict do nothing`,
    );
}

/** A start that was killed here has left some of them. */
async function addEntries(client: ApiClient, list: string, file: string, name: string): Promise<void> {
  const entries = JSON.parse(await fs.readFile(new URL(file, ROOT), "utf8")) as Record<string, unknown>[];
  const { body: known } = await client.get<{ data: Record<string, unknown>[] }>(`${list}?limit=100`);
  for (const entry of entries) if (!known.data.some((one) => one[name] === entry[name])) await client.post(list, entry);
}

const FIND_BANK_CALLERS = query<object, { conversationId: string; contactId: string }>(
  "demo.findBankCallers",
  { unrestricted: "only the demo runs it" },
  () => sql`
    select c.id as "conversationId", c.contact_id as "contactId" from conversation c
    where c.tenant_id = ${TENANT} and c.metadata->'domains' ? 'bank'
    order by c.created_at`,
);

/** The demo's bank customers answered two questions before they were helped: the steps, as the verification leaves them. */
async function proveDemoCallers(app: INestApplicationContext): Promise<void> {
  const db = app.get(Database);
  const [tenant] = await db.global(FIND_TENANT, { externalId: EXTERNAL_ID });
  await db.transaction(system("demo", tenant!.id, "live"), async (tx) => {
    const callers = await tx.query(FIND_BANK_CALLERS);
    for (const { conversationId, contactId } of callers) {
      const bound = { factorBoundToPrincipal: contactId, evidenceRef: "tool:contact_attributes" } as const;
      const at = (step: string) => ({
        conversationId,
        transitionKey: `demo:${conversationId}:${step}`,
        promptVersion: "demo-1",
      });
      for (const question of ["account_number", "pin"]) {
        await recordIdentityEvent(tx, at(`${question}:asked`), {
          eventType: "kbv_question_asked",
          factorCategory: "knowledge",
          ...bound,
        });
        await recordIdentityEvent(tx, at(`${question}:passed`), {
          eventType: "kbv_question_passed",
          factorCategory: "knowledge",
          ...bound,
        });
      }
      await recordIdentityEvent(tx, at("factor"), {
        eventType: "factor_added",
        factorCategory: "knowledge",
        factorType: "kba_dynamic",
        factorBoundToPrincipal: contactId,
        evidenceRef: "kbv:contact_attributes",
      });
      await recordIdentityEvent(tx, at("level"), {
        eventType: "assurance_level_reached",
        factorBoundToPrincipal: contactId,
        scopeDimension: "assurance_level",
        scopeValues: ["identified"],
      });
      await tx.query(
        `update conversation set assurance_level = 'identified', last_activity_at = clock_timestamp(), updated_at = clock_timestamp()
        where tenant_id = :tenant and id = :conversationId`,
        { conversationId },
      );
    }
  });
}

/** What to tell a newcomer. */
export function describeDemo(address: string, { email, password, liveKey, testKey }: DemoCredentials): string[] {
  return [
    `  Sign in as         ${email}  password ${password}`,
    `  Live key           ${liveKey}`,
    `  Test key           ${testKey}`,
    "  The password and the keys are shown this once.",
    "",
    "Try it:",
    `  curl -s -H 'Authorization: Bearer ${liveKey}' '${address}/api/conversations?limit=3'`,
  ];
}
