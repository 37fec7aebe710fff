import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { StartupError } from "../../startup-error.js";

type Tool = "pg_dump" | "pg_restore";

/** Where packages of PostgreSQL put the programs of each version, beside those on the PATH. */
const ROOTS = [
  { folder: "/usr/lib/postgresql", bin: "bin" },
  { folder: "/usr", bin: "bin", only: /^pgsql-\d+$/ },
];

/**
 * The program in the oldest version that will do: newer ones write what older servers do not know.
 * @throws StartupError that says what to install
 */
export function findTool(tool: Tool, atLeast: number, why: string): string {
  const found = candidates(tool)
    .map((file) => ({ file, version: versionOf(file) }))
    .filter(({ version }) => version > 0)
    .sort((a, b) => a.version - b.version);
  const fitting = found.find(({ version }) => version >= atLeast);
  if (fitting) return fitting.file;
  const newest = found.at(-1);
  throw new StartupError(
    `${newest ? `${tool} ${newest.version} (${newest.file}) is too old` : `${tool} is not installed`}: ${why}. ` +
      `Install the clients of PostgreSQL ${atLeast} (postgresql-client-${atLeast} from apt.postgresql.org, postgresql@${atLeast} of Homebrew), ` +
      "and put them on the PATH",
  );
}

function candidates(tool: Tool): string[] {
  const versions = ROOTS.flatMap(({ folder, bin, only }) =>
    entries(folder)
      .filter((name) => !only || only.test(name))
      .map((name) => path.join(folder, name, bin)),
  );
  const folders = [...versions, ...(process.env.PATH ?? "").split(path.delimiter)];
  return folders.map((folder) => path.join(folder, tool)).filter((file) => fs.existsSync(file));
}

const entries = (folder: string): string[] => (fs.existsSync(folder) ? fs.readdirSync(folder) : []);

/** The major version; 0 if it does not run. */
function versionOf(file: string): number {
  const { stdout } = spawnSync(file, ["--version"], { encoding: "utf8" });
  return Number(/\(PostgreSQL\) (\d+)/.exec(stdout ?? "")?.[1] ?? 0);
}

/** @throws StartupError with the last thing that it said */
export async function runTool(file: string, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(file, args, { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-2_000)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  if (code !== 0)
    throw new StartupError(
      `${path.basename(file)} failed: ${said.trim().split("\n").join("; ") || `it ended with ${code}`}`,
    );
}
