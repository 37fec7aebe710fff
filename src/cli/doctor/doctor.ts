import fs from "node:fs";
import { Config } from "../../platform/config/config.js";
import { connectionsOf, furtherConnectionsOf } from "../../platform/database/connections.js";
import { startEmbeddedPostgres } from "../../platform/database/embedded/embedded.js";
import { APP_ROLE } from "../../platform/database/app-role.js";
import { createContext } from "../../app.js";
import { explain, readConfig, readEnvFile } from "../../startup.js";
import { examineConfiguration } from "./configuration.js";
import { error, type Finding } from "./finding.js";
import { examineDatabase } from "./postgres.js";
import { examineSurroundings } from "./surroundings.js";
import { examineChannels, examineWork } from "./work.js";

type Part = "Configuration" | "Database" | "Surroundings" | "Work" | "Channels";
type Report = { part: Part; findings: Finding[] }[];

/** Looks at everything that Parley needs, and changes nothing. What cannot be looked at because of an error before it is left out. */
async function examineAll(told: (part: Part, findings: Finding[]) => void): Promise<Report> {
  const report: Report = [];
  const tell = (part: Part, findings: Finding[]): void => {
    report.push({ part, findings });
    told(part, findings);
  };
  const config = configuration(tell);
  if (!config || !readsConnections(config, tell)) return report;
  const server = config.DATABASE_URL
    ? undefined
    : await startEmbeddedPostgres({ dataDir: config.DATA_DIR, mode: "adopt" });
  try {
    const { findings, isUsable } = await examineDatabase(
      connectionsOf(config, config.DATABASE_URL ?? server!.url()),
      config.DATABASE_POOL_SIZE,
    );
    tell("Database", findings);
    if (!isUsable) return report;
    for (const connections of furtherConnectionsOf(config)) {
      const further = await examineDatabase(connections, config.DATABASE_POOL_SIZE);
      const named = further.findings.map(({ level, says }) => ({ level, says: `${connections.name}: ${says}` }));
      tell("Database", named);
    }
    const app = await createContext(config, config.DATABASE_URL ?? (await server!.loginUrl(APP_ROLE)));
    try {
      tell("Surroundings", await examineSurroundings(app));
      tell("Work", await examineWork(app));
      const channels = await examineChannels(app);
      if (channels.length) tell("Channels", channels);
    } finally {
      await app.close();
    }
    return report;
  } finally {
    await server?.stop();
  }
}

/** A file that a connection string names may be missing. */
function readsConnections(config: Config, tell: (part: Part, findings: Finding[]) => void): boolean {
  try {
    if (config.DATABASE_URL) connectionsOf(config, config.DATABASE_URL);
    return true;
  } catch (thrown) {
    tell("Database", [error(explain(thrown))]);
    return false;
  }
}

function configuration(tell: (part: Part, findings: Finding[]) => void): Config | undefined {
  try {
    readEnvFile();
    // Reading the settings would make secrets for a new embedded database.
    const { DATABASE_URL, DATA_DIR = new Config().DATA_DIR } = process.env;
    if (!DATABASE_URL && !fs.existsSync(DATA_DIR)) {
      tell("Configuration", [error("There is no database yet: start Parley once, or set DATABASE_URL")]);
      return undefined;
    }
    const config = readConfig();
    tell("Configuration", examineConfiguration(config, process.env));
    return config;
  } catch (thrown) {
    tell("Configuration", [error(explain(thrown))]);
    return undefined;
  }
}

/**
 * Prints what is wrong, and what to do about it.
 * @returns whether there is no error
 */
export async function doctor(asJson = false): Promise<boolean> {
  const report = await examineAll((part, findings) => {
    if (!asJson) console.log([part, ...findings.map(({ level, says }) => `  ${level.padEnd(8)} ${says}`)].join("\n"));
  });
  const all = report.flatMap(({ part, findings }) => findings.map((finding) => ({ part, ...finding })));
  const [errors, warnings] = (["error", "warning"] as const).map(
    (one) => all.filter(({ level }) => level === one).length,
  );
  console.log(asJson ? JSON.stringify(all, null, 2) : `${countOf(errors!, "error")}, ${countOf(warnings!, "warning")}`);
  return errors === 0;
}

const countOf = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;
