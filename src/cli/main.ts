import { createPublicKey, type KeyObject, randomBytes } from "node:crypto";
import fs from "node:fs";
import { parseArgs } from "node:util";
import type { INestApplicationContext } from "@nestjs/common";
import { isEmail } from "class-validator";
import { createApp, createContext, describeApi, OPENAPI_FILE } from "../app.js";
import { system } from "../platform/caller/caller.js";
import { AttachmentQuota } from "../conversations/attachments/attachment-quota.js";
import { Config } from "../platform/config/config.js";
import { Database } from "../platform/database/database.js";
import { FIND_TENANTS, LIST_LIVE_TENANTS } from "../workspaces/tenants/tenants.queries.js";
import { describeDemo, describeSignIn, fillDemo, prepareDemo } from "../demo/demo.js";
import { explain, openDatabase, readConfig, StartupError } from "../startup.js";
import { RotateKeysService } from "../maintenance/rotate-keys.service.js";
import { DailyService } from "../maintenance/daily.service.js";
import { PurgeWorkspacesJob } from "../maintenance/purge-workspaces.job.js";
import { isValid } from "../privacy/erasure/certificate.js";
import { Outbox } from "../platform/outbox/outbox.service.js";
import { ProvisioningService } from "../workspaces/provisioning/provisioning.service.js";

const HELP = `Usage: npm run -s parley -- <command>

  tenant create --name <n> --owner-email <e> [--owner-name <n>] [--json]
                          make a tenant with its live and test side, an owner and a key for each side
  tenant quota <id|name> (--gb <n> | --default)
                          set how many GB the attachments of one side may take up; a name means the live side,
                          --default ATTACHMENT_QUOTA_GB
  seed                    make the demo tenant, with conversations and knowledge, unless there is one
  migrate                 bring the database's schema up to date
  sweep [--dry-run]       delete now what the daily task deletes, and free the rows of deleted workspaces;
                          --dry-run only shows which identity events are due, by workspace
  erasure verify <file|-> --key <pem file>
                          say whether an erasure's certificate is the tenant's, whose erasureKey is in the PEM file
  mail                    show the mails that wait in the outbox because SMTP_URL is not set
  rotate-keys             seal anew, under SECRET_KEY, what is sealed under SECRET_KEYS_OLD; beside running servers
  openapi [--check]       write openapi.json from the code; --check only compares
  help                    this text

The commands use the database of DATABASE_URL, or the embedded one in DATA_DIR, beside a running server or without one.`;

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      name: { type: "string" },
      "owner-email": { type: "string" },
      "owner-name": { type: "string" },
      json: { type: "boolean" },
      check: { type: "boolean" },
      "dry-run": { type: "boolean" },
      key: { type: "string" },
      gb: { type: "string" },
      default: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  const command = values.help ? "help" : positionals.join(" ");
  if (/^erasure verify\b/.test(command)) return verifyErasure(positionals.slice(2), values.key);
  if (/^tenant quota\b/.test(command)) return setQuota(positionals.slice(2), values);
  switch (command) {
    case "":
    case "help":
      console.log(HELP);
      return;
    case "tenant create":
      await createTenant(values);
      return;
    case "seed":
      await seed();
      return;
    case "migrate":
      await withServices(() => Promise.resolve(console.log("The schema is up to date.")));
      return;
    case "sweep":
      await withServices(values["dry-run"] ? previewSweep : sweep);
      return;
    case "rotate-keys":
      await withServices(rotateKeys);
      return;
    case "mail":
      await withServices(showMail);
      return;
    case "openapi":
      await writeOpenApi(values.check ?? false);
      return;
    default:
      throw new StartupError(`There is no command "${command}"; see npm run -s parley -- help`);
  }
}

/** Opens the database and the services for `work`, and closes them afterwards. */
async function withServices(work: (app: INestApplicationContext) => Promise<void>): Promise<void> {
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

async function createTenant(values: {
  name?: string;
  "owner-email"?: string;
  "owner-name"?: string;
  json?: boolean;
}): Promise<void> {
  const { name, "owner-email": email = "", "owner-name": ownerName = email.split("@")[0]! } = values;
  if (!name?.trim()) throw new StartupError("--name is missing");
  if (!isEmail(email)) throw new StartupError("--owner-email must be an email address");
  await withServices(async (app) => {
    const password = randomBytes(15).toString("base64url");
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

async function setQuota([tenant, ...rest]: string[], values: { gb?: string; default?: boolean }): Promise<void> {
  if (!tenant || rest.length) throw new StartupError("Name one tenant, by id or name");
  if ((values.gb === undefined) === !values.default) throw new StartupError("Give either --gb or --default");
  if (values.gb !== undefined && !/^\d{1,6}$/.test(values.gb))
    throw new StartupError("--gb must be a whole number from 0 to 999999");
  await withServices(async (app) => {
    const [found, another] = await app.get(Database).global(FIND_TENANTS, { tenant });
    if (!found) throw new StartupError(`There is no tenant "${tenant}"`);
    if (another) throw new StartupError(`More than one tenant is named "${tenant}": give the id`);
    const { quota, used } = await app
      .get(AttachmentQuota)
      .set(system("quota", found.id, found.environment), values.gb === undefined ? null : Number(values.gb));
    console.log(
      `The attachments of ${found.name} (${found.environment} side, ${found.id}) may take up ${inGb(quota)}. They take up ${inGb(used)}.`,
    );
  });
}

const inGb = (bytes: number): string => `${Math.round((bytes / 1_073_741_824) * 100) / 100} GB`;

/** The demo data comes in through the public API, so the server runs until it is complete. */
async function seed(): Promise<void> {
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

async function sweep(app: INestApplicationContext): Promise<void> {
  await app.get(PurgeWorkspacesJob).run();
  const report = await app.get(DailyService).runNow();
  console.log(report ? JSON.stringify(report) : "Another process is sweeping already.");
}

async function rotateKeys(app: INestApplicationContext): Promise<void> {
  const rotated = await app.get(RotateKeysService).run();
  console.log(JSON.stringify(rotated));
  if (rotated.unreadable) throw new StartupError("Something opens under none of the keys: SECRET_KEYS_OLD lacks one");
}

async function previewSweep(app: INestApplicationContext): Promise<void> {
  console.log(JSON.stringify(await app.get(DailyService).preview(), null, 2));
}

/** Accepts the certificate alone, or the whole answer of the erasure. */
function verifyErasure([file, ...rest]: string[], key: string | undefined): void {
  if (!file || rest.length) throw new StartupError("Name one file with the certificate, or - for the standard input");
  if (!key) throw new StartupError("--key is missing: the PEM file of the tenant's erasureKey");
  const read = (name: string | 0): string => {
    try {
      return fs.readFileSync(name, "utf8");
    } catch (error) {
      throw new StartupError(
        `${name || "The standard input"} cannot be read: ${(error as NodeJS.ErrnoException).code}`,
      );
    }
  };
  const valid = isCertified(read(file === "-" ? 0 : file), publicKey(read(key)));
  console.log(valid ? "valid" : "invalid");
  if (!valid) process.exitCode = 1;
}

function publicKey(pem: string): KeyObject {
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    /* said below */
  }
  throw new StartupError(
    "--key must name a PEM file with the public Ed25519 key that GET /api/tenant shows as erasureKey",
  );
}

function isCertified(text: string, key: KeyObject): boolean {
  let found: { certificate?: unknown } | null;
  try {
    found = JSON.parse(text) as typeof found;
  } catch {
    return false;
  }
  return isValid(found?.certificate ?? found, key);
}

async function showMail(app: INestApplicationContext): Promise<void> {
  const sides = await app.get(Database).global(LIST_LIVE_TENANTS);
  let shown = 0;
  for (const side of sides) {
    const { data } = (
      await app.get(Outbox).contents(system("mail", side.id, "live"), "queued", { limit: 100 })
    ).parse();
    for (const { to, subject, body, createdAt } of data)
      console.log(`--- ${side.name}, ${createdAt}\nTo: ${to}\nSubject: ${subject}\n\n${body}`);
    shown += data.length;
  }
  if (!shown) console.log("No mail is waiting.");
}

async function writeOpenApi(check: boolean): Promise<void> {
  const text = `${JSON.stringify(await describeApi(Object.assign(new Config(), { SECRET_KEY: "only to describe the interface" })), null, 1)}\n`;
  if (!check) return fs.writeFileSync(OPENAPI_FILE, text);
  if (!fs.existsSync(OPENAPI_FILE) || fs.readFileSync(OPENAPI_FILE, "utf8") !== text)
    throw new StartupError("openapi.json is stale: npm run openapi");
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(`parley: ${explain(error)}`);
    process.exit(1);
  },
);
