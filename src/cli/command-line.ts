import { parseArgs } from "node:util";
import { StartupError } from "../startup-error.js";

// The application takes seconds to import. Only a command that needs it does so.

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
  organisation list [--json]
                          show on which server each organisation lives (DATABASE_SERVERS), and what moves
  organisation move <id> <server> [--source-url <url>] [--abort | --purge-now]
                          move an organisation, with both sides, while it works; repeat it if it was interrupted. The old
                          server's rows are deleted after a day; --purge-now does it now. Before that is --abort: it undoes a
                          move that has not handed over. --source-url is how the new server reaches the old one
  organisation place <id> <server>
                          say that an organisation lives where its rows already are, such as after a restoration
  organisation verify <id> [--with <server|file>] [--save <file>]
                          say whether rows are left elsewhere, and compare every table with another server, or with a file
                          that --save wrote
  erasure verify <file|-> --key <pem file>
                          say whether an erasure's certificate is the tenant's, whose erasureKey is in the PEM file
  erasure replay [--erasures <file>]
                          erase again who was erased already, after a restoration to a point in time; restore does it, too
  attachments move --to s3|disk
                          move all attachments to where new ones go (ATTACHMENT_STORE), beside running servers;
                          repeat it if it was interrupted
  mail                    show the mails that wait in the outbox because SMTP_URL is not set
  doctor [--json]         say what is wrong with the settings, the database, disks, name servers, clocks, queues and channels, and
                          what to do about it; it changes nothing, and fails if there is an error
  backup <folder>         write the database and the attachments into an empty folder, beside running servers; keys and settings are
                          not in it
  restore <folder> [--erasures <file>]
                          restore a backup into an empty database, with its attachments, and erase again who was erased since;
                          --erasures names a file of certificates, one a line, beside those in the journal
  verify <folder>         compare a backup with itself, and the database, the attachments, the erasures and the feed with it
  rotate-keys             seal anew, under SECRET_KEY, what is sealed under SECRET_KEYS_OLD; beside running servers
  openapi [--check]       write openapi.json from the code; --check only compares
  help                    this text

The commands use the database of DATABASE_URL, or the embedded one in DATA_DIR, beside a running server or without one.`;

type Commands = typeof import("./commands.js");
interface Values {
  name?: string;
  "owner-email"?: string;
  "owner-name"?: string;
  json?: boolean;
  check?: boolean;
  "dry-run"?: boolean;
  to?: string;
  abort?: boolean;
  "purge-now"?: boolean;
  "source-url"?: string;
  with?: string;
  save?: string;
}
const COMMANDS: Record<string, (commands: Commands, values: Values) => Promise<void>> = {
  "tenant create": (commands, values) => commands.createTenant(values),
  seed: (commands) => commands.seed(),
  migrate: (commands) => commands.migrate(),
  sweep: (commands, values) => commands.sweep(values["dry-run"]),
  "rotate-keys": (commands) => commands.rotateKeys(),
  "attachments move": (commands, values) => commands.moveAttachments(values.to),
  mail: (commands) => commands.showMail(),
  openapi: (commands, values) => commands.writeOpenApi(values.check),
};

/** Resolves to whether what the command checks is right, if it checks something. */
async function run(args: string[]): Promise<boolean | void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      name: { type: "string" },
      "owner-email": { type: "string" },
      "owner-name": { type: "string" },
      json: { type: "boolean" },
      check: { type: "boolean" },
      "dry-run": { type: "boolean" },
      key: { type: "string" },
      to: { type: "string" },
      gb: { type: "string" },
      default: { type: "boolean" },
      erasures: { type: "string" },
      abort: { type: "boolean" },
      "purge-now": { type: "boolean" },
      "source-url": { type: "string" },
      with: { type: "string" },
      save: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const command = values.help ? "help" : positionals.join(" ");
  if (command === "" || command === "help") return console.log(HELP);
  if (/^erasure verify\b/.test(command)) {
    const { verifyErasure } = await import("./verify-erasure.js");
    return verifyErasure(positionals.slice(2), values.key);
  }
  if (/^tenant quota\b/.test(command)) {
    const quota = readQuota(positionals.slice(2), values);
    return (await import("./commands.js")).setQuota(quota);
  }
  if (command === "erasure replay") return (await import("./backup/restore.js")).replayErasures(values.erasures);
  if (/^(backup|restore|verify)\b/.test(command)) return keep(positionals, values.erasures);
  if (positionals[0] === "organisation") return ofOrganisation(positionals.slice(1), values);
  if (command === "doctor") return (await import("./doctor/doctor.js")).doctor(values.json);
  const known = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (!known) throw new StartupError(`There is no command "${command}"; see npm run -s parley -- help`);
  await known(await import("./commands.js"), values);
}

/** Backups, which need the programs of PostgreSQL. */
async function keep([command, folder, ...rest]: string[], erasures: string | undefined): Promise<boolean | void> {
  if (!folder || rest.length) throw new StartupError("Name one folder");
  if (command === "backup") return (await import("./backup/backup.js")).backup(folder);
  if (command === "verify") return (await import("./backup/verify.js")).verify(folder);
  return (await import("./backup/restore.js")).restore(folder, erasures);
}

/** The organisation's id comes behind the command, and the server behind that. */
async function ofOrganisation([command, id, server, ...rest]: string[], values: Values): Promise<boolean | void> {
  const { listOrganisations, moveOrganisation, placeOrganisation, verifyOrganisation } =
    await import("./organisation.js");
  if (command === "list" && id === undefined) return listOrganisations(values);
  if (command === "verify" && id !== undefined && server === undefined) return verifyOrganisation(id, values);
  if ((command !== "move" && command !== "place") || server === undefined || rest.length)
    throw new StartupError("organisation list, or organisation move|place <id> <server>, or organisation verify <id>");
  return command === "move" ? moveOrganisation(id!, server, values) : placeOrganisation(id!, server);
}

function readQuota([tenant, ...rest]: string[], { gb, default: isDefault }: { gb?: string; default?: boolean }) {
  if (!tenant || rest.length) throw new StartupError("Name one tenant, by id or name");
  if ((gb === undefined) === !isDefault) throw new StartupError("Give either --gb or --default");
  if (gb !== undefined && !/^\d{1,6}$/.test(gb)) throw new StartupError("--gb must be a whole number from 0 to 999999");
  return { tenant, gb: gb === undefined ? null : Number(gb) };
}

/** Runs a command, and prints in one line why it fails. Resolves to whether it succeeded. */
export async function commandLine(args: string[]): Promise<boolean> {
  try {
    return (await run(args)) ?? true;
  } catch (error) {
    const message = error instanceof StartupError ? error.message : (await import("../startup.js")).explain(error);
    console.error(`parley: ${message}`);
    return false;
  }
}
