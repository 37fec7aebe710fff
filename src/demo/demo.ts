import { randomBytes } from "node:crypto";
import fs from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { INestApplicationContext } from "@nestjs/common";
import { hashPassword } from "../auth/sessions/password.js";
import { system } from "../platform/caller/caller.js";
import { ROOT } from "../platform/config/root.js";
import { MemberEntity } from "../auth/members/member.entity.js";
import { Database } from "../platform/database/database.js";
import { FIND_TENANT_BY_EXTERNAL_ID, FIND_TEST_SIDE } from "../workspaces/tenants/tenants.queries.js";
import {
  FIND_DEMO,
  LIST_BANK_CONVERSATIONS,
  LOOK_BACK_AT_CONTACTS,
  MARK_COMPLETE,
  RATE,
  SPREAD_CONVERSATIONS,
  SPREAD_MESSAGES,
} from "./demo.queries.js";
import { recordIdentityEvent } from "../identity/events/identity-event.js";
import { addFactor } from "../identity/verification/assurance-level.js";
import { ProvisioningService } from "../workspaces/provisioning/provisioning.service.js";
import { ApiClient } from "../replay/client.js";
import { readLines } from "../replay/lines.js";
import { firstActiveWorkspace, replay } from "../replay/replay.js";
import { makeAppointments } from "./appointments.js";
import { addCannedReplies } from "./canned-replies.js";
import { openCases } from "./cases.js";
import { addAccounts, fillDesk } from "./desk.js";
import { addProcedures } from "./procedures.js";
import { addTests } from "./tests.js";

const EXTERNAL_ID = "parley-demo";
const PROMPT_VERSION = "demo-1";
/** As long as by default. */
const FACTOR_MINUTES = 30;
const EMAIL = "owner@demo.example";

/** What you sign in and call the API with. It is shown once, because only hashes are stored. */
export interface DemoCredentials {
  email: string;
  password: string;
  liveKey: string;
  testKey: string;
}

/**
 * Creates the demo tenant, or completes one that a crash left incomplete.
 * @param beside also in a database that has other tenants
 * @returns undefined if there is nothing to do
 */
export async function prepareDemo(
  app: INestApplicationContext,
  { beside }: { beside: boolean },
): Promise<DemoCredentials | undefined> {
  const [state] = await app.get(Database).global(FIND_DEMO, { externalId: EXTERNAL_ID });
  const { tenants, complete, tenantId } = state!;
  if (complete || (tenants > 0 && !tenantId && !beside)) return undefined;
  const password = randomBytes(16).toString("base64url");
  if (!tenantId) {
    const made = await app.get(ProvisioningService).create({
      name: "Demo",
      externalId: EXTERNAL_ID,
      owner: { email: EMAIL, name: "Olivia Owner", password, proven: true },
      withKeys: true,
    });
    return { email: EMAIL, password, liveKey: made!.keys!.live, testKey: made!.keys!.test };
  }
  return completeDemo(app, tenantId, password);
}

/** Makes new credentials for an incomplete demo, because the first ones were never shown. */
async function completeDemo(
  app: INestApplicationContext,
  tenantId: string,
  password: string,
): Promise<DemoCredentials> {
  const provisioning = app.get(ProvisioningService);
  const passwordHash = await hashPassword(password);
  const [test] = await app.get(Database).globalOf(tenantId, FIND_TEST_SIDE, { organisationId: tenantId });
  return app.get(Database).transaction(system("demo", tenantId, "live"), async (tx) => {
    await tx.update(MemberEntity, { email: EMAIL }, { passwordHash });
    const liveKey = await provisioning.createKey(tx);
    return {
      email: EMAIL,
      password,
      liveKey,
      testKey: await provisioning.createKey(await tx.actingFor(system("demo", test!.id, "test"))),
    };
  });
}

/** Adds the demo's conversations, knowledge and policies through the public API, and its cases and canned replies, and marks the demo as complete. */
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
  const [tenant] = await app.get(Database).all(FIND_TENANT_BY_EXTERNAL_ID, { externalId: EXTERNAL_ID });
  await proveDemoCallers(app, tenant!.id);
  await fillDesk(live, workspaceId);
  await addAccounts(live);
  await openCases(app, { tenantId: tenant!.id, workspaceId, email: EMAIL });
  await addCannedReplies(app, { tenantId: tenant!.id, email: EMAIL });
  await makeAppointments(app, live, { tenantId: tenant!.id, workspaceId });
  await addProcedures(app, { tenantId: tenant!.id, workspaceId });
  await addTests(app, { tenantId: tenant!.id, workspaceId });
  await lookBack(app, tenant!.id);
  await app.get(Database).global(MARK_COMPLETE);
}

/** Makes a month of what is resolved, with ratings, so that reports have something to show. */
const lookBack = (app: INestApplicationContext, tenantId: string): Promise<void> =>
  app.get(Database).transaction(system("demo", tenantId, "live"), async (tx) => {
    for (const statement of [SPREAD_CONVERSATIONS, SPREAD_MESSAGES, LOOK_BACK_AT_CONTACTS, RATE])
      await tx.query(statement);
  });

/** Adds the entries that are not there yet: an earlier start may have been interrupted. */
async function addEntries(client: ApiClient, list: string, file: string, name: string): Promise<void> {
  const entries = JSON.parse(await fs.readFile(new URL(file, ROOT), "utf8")) as Record<string, unknown>[];
  const { body: known } = await client.get<{ data: Record<string, unknown>[] }>(`${list}?limit=100`);
  for (const entry of entries) if (!known.data.some((one) => one[name] === entry[name])) await client.post(list, entry);
}

/** Records identity events for the bank customers of the demo, as if each had answered two questions. */
async function proveDemoCallers(app: INestApplicationContext, tenantId: string): Promise<void> {
  await app.get(Database).transaction(system("demo", tenantId, "live"), async (tx) => {
    const callers = await tx.query(LIST_BANK_CONVERSATIONS);
    for (const { conversationId, contactId } of callers) {
      const bound = { factorBoundToPrincipal: contactId, evidenceRef: "tool:contact_attributes" } as const;
      const at = (step: string) => ({
        conversationId,
        transitionKey: `demo:${conversationId}:${step}`,
        promptVersion: PROMPT_VERSION,
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
      await addFactor(tx, {
        conversationId,
        contactId,
        promptVersion: PROMPT_VERSION,
        factorType: "kba_dynamic",
        factorCategory: "knowledge",
        evidenceRef: "kbv:contact_attributes",
        lifetimeMinutes: FACTOR_MINUTES,
      });
    }
  });
}

export const describeSignIn = ({ email, password }: DemoCredentials): string =>
  `  Sign in as         ${email}  password ${password}`;

/** The lines that the start and the command line print for a new demo, after its sign-in. */
export function describeDemo(address: string, { liveKey, testKey }: DemoCredentials): string[] {
  return [
    `  Live key           ${liveKey}`,
    `  Test key           ${testKey}`,
    "  The password and the keys are shown this once.",
    "",
    "Try it:",
    `  curl -s -H 'Authorization: Bearer ${liveKey}' '${address}/api/conversations?limit=3'`,
  ];
}
