import { randomBytes } from "node:crypto";
import fs from "node:fs";
import type { INestApplicationContext } from "@nestjs/common";
import { isEmail } from "class-validator";
import { createApp, createContext, describeApi, OPENAPI_FILE } from "../app.js";
import { system } from "../platform/caller/caller.js";
import { AttachmentQuota } from "../conversations/attachments/attachment-quota.js";
import { AttachmentMoveService, MoveRefused } from "../conversations/attachments/attachment-move.service.js";
import { FilesUnavailable } from "../conversations/attachments/attachment-store.js";
import { Config } from "../platform/config/config.js";
import { Database } from "../platform/database/database.js";
import { FIND_TENANTS, LIST_LIVE_TENANTS } from "../workspaces/tenants/tenants.queries.js";
import { describeDemo, describeSignIn, fillDemo, prepareDemo } from "../demo/demo.js";
import { openDatabase, readConfig } from "../startup.js";
import { StartupError } from "../startup-error.js";
import { RotateKeysService } from "../maintenance/rotate-keys.service.js";
import { DailyService } from "../maintenance/daily.service.js";
import { MovesJob } from "../maintenance/moving/moves.job.js";
import { PurgeWorkspacesJob } from "../maintenance/purge-workspaces.job.js";
import { OutboxService } from "../platform/outbox/outbox.service.js";
import { ProvisioningService } from "../workspaces/provisioning/provisioning.service.js";

// What the commands do that need the application.

/** Opens the database and the services for `work`, and closes them afterwards. */
export async function withServices(work: (app: INestApplicationContext) => Promise<void>): Promise<void> {
  const config = readConfig();
  const database = await openDatabase(config, "adopt");
  try {
    const app = await createContext(config, database.url);
    try {
      await work(app);
    } finally {
      await app.close();
    }
  } finally {
    await database.stop();
  }
}

export async function createTenant(values: {
  name?: string;
  "owner-email"?: string;
  "owner-name"?: string;
  json?: boolean;
}): Promise<void> {
  const { name, "owner-email": email = "", "owner-name": ownerName = email.split("@")[0]! } = values;
  if (!name?.trim()) throw new StartupError("--name is missing");
  if (!isEmail(email)) throw new StartupError("--owner-email must be an email address");
  await withServices(async (app) => {
    const password = randomBytes(16).toString("base64url");
    const owner = { email: email.toLowerCase(), name: ownerName, password, proven: true };
    const made = (await app.get(ProvisioningService).create({ name: name.trim(), owner, withKeys: true }))!;
    const { tenantId, testTenantId, keys, defaults, testDefaults } = made;
    const answer = {
      tenantId,
      testTenantId,
      owner: { email: owner.email, password },
      apiKeys: keys!,
      defaults,
      testDefaults,
    };
    console.log(
      values.json
        ? JSON.stringify(answer)
        : [
            `Tenant ${name.trim()} is made.`,
            `  Live side  ${tenantId}  key ${keys!.live}`,
            `  Test side  ${testTenantId}  key ${keys!.test}`,
            `  Owner      ${owner.email}  password ${password}`,
            "The password and the keys are shown this once.",
          ].join("\n"),
    );
  });
}

/** @param gb null for ATTACHMENT_QUOTA_GB */
export async function setQuota({ tenant, gb }: { tenant: string; gb: number | null }): Promise<void> {
  await withServices(async (app) => {
    const [found, another] = await app.get(Database).all(FIND_TENANTS, { tenant });
    if (!found) throw new StartupError(`There is no tenant "${tenant}"`);
    if (another) throw new StartupError(`More than one tenant is named "${tenant}": give the id`);
    const { quota, used } = await app.get(AttachmentQuota).set(system("quota", found.id, found.environment), gb);
    console.log(
      `The attachments of ${found.name} (${found.environment} side, ${found.id}) may take up ${inGb(quota)}. They take up ${inGb(used)}.`,
    );
  });
}

const inGb = (bytes: number): string => `${Math.round((bytes / 1_073_741_824) * 100) / 100} GB`;

/** The demo data comes in through the public API, so the server runs until it is complete. */
export async function seed(): Promise<void> {
  const config = Object.assign(readConfig(), { RATE_LIMIT_PER_MINUTE: 0 });
  const database = await openDatabase(config, "adopt");
  try {
    const app = await createApp(config, database.url, { jobs: false });
    try {
      await app.listen(0, "127.0.0.1");
      const demo = await prepareDemo(app, { beside: true });
      if (demo) await fillDemo(app, await app.getUrl(), demo);
      console.log(
        demo
          ? ["The demo tenant is made.", describeSignIn(demo), ...describeDemo(config.publicUrl, demo)].join("\n")
          : "The demo tenant is there already.",
      );
    } finally {
      await app.close();
    }
  } finally {
    await database.stop();
  }
}

export const migrate = (): Promise<void> =>
  withServices(() => Promise.resolve(console.log("The schema is up to date.")));

export const sweep = (isDryRun = false): Promise<void> =>
  withServices(async (app) => {
    if (isDryRun) return console.log(JSON.stringify(await app.get(DailyService).preview(), null, 2));
    await app.get(PurgeWorkspacesJob).run();
    await app.get(MovesJob).run();
    const report = await app.get(DailyService).runNow();
    console.log(report ? JSON.stringify(report) : "Another process is sweeping already.");
  });

export const rotateKeys = (): Promise<void> =>
  withServices(async (app) => {
    const rotated = await app.get(RotateKeysService).run();
    console.log(JSON.stringify(rotated));
    if (rotated.unreadable) throw new StartupError("Something opens under none of the keys: SECRET_KEYS_OLD lacks one");
  });

/** How often the move says how far it is. */
const PROGRESS_MS = 2_000;

export async function moveAttachments(to: string | undefined): Promise<void> {
  if (to !== "s3" && to !== "disk") throw new StartupError("--to must be s3 or disk");
  await withServices(async (app) => {
    let [shown, unsaid] = [performance.now(), ""];
    const moved = await app
      .get(AttachmentMoveService)
      .moveTo(to, ({ files, bytes, strays, damaged }, total) => {
        unsaid = `${files} of ${total - strays - damaged.length} files moved, ${inGb(bytes)}`;
        if (performance.now() < shown + PROGRESS_MS) return;
        console.error(unsaid);
        [shown, unsaid] = [performance.now(), ""];
      })
      .catch((error: Error) => {
        if (unsaid) console.error(unsaid);
        const reason = error instanceof FilesUnavailable ? error.cause.message : error.message;
        throw error instanceof MoveRefused
          ? new StartupError(reason)
          : new StartupError(`${reason}. Run it again to go on`);
      });
    if (!moved) throw new StartupError("Another process is moving the attachments");
    console.log(`Files moved to ${to}: ${moved.files}, ${inGb(moved.bytes)}.`);
    if (moved.strays) console.log(`Files of no attachment, which are left to the daily run: ${moved.strays}.`);
    if (moved.damaged.length)
      throw new StartupError(
        `These files are not as long as when they were stored, and stay where they are: ${moved.damaged.join(", ")}`,
      );
  });
}

export const showMail = (): Promise<void> =>
  withServices(async (app) => {
    const sides = await app.get(Database).all(LIST_LIVE_TENANTS);
    let shown = 0;
    for (const side of sides)
      for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
        const page = await app
          .get(OutboxService)
          .contents(system("mail", side.id, "live"), "queued", { limit: 100, cursor });
        const { data, nextCursor } = page.parse();
        for (const { to, subject, body, createdAt } of data)
          console.log(`--- ${side.name}, ${createdAt}\nTo: ${to}\nSubject: ${subject}\n\n${body}`);
        shown += data.length;
        cursor = nextCursor;
      }
    if (!shown) console.log("No mail is waiting.");
  });

export async function writeOpenApi(check = false): Promise<void> {
  const text = `${JSON.stringify(await describeApi(Object.assign(new Config(), { SECRET_KEY: "only to describe the interface" })), null, 1)}\n`;
  if (!check) return fs.writeFileSync(OPENAPI_FILE, text);
  if (!fs.existsSync(OPENAPI_FILE) || fs.readFileSync(OPENAPI_FILE, "utf8") !== text)
    throw new StartupError("openapi.json is stale: npm run openapi");
}
