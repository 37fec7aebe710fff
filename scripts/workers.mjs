// Bundles the scripts of worker threads, src/**/<name>.thread.ts, into dist/workers/<name>.mjs. The tests run from source and have no
// other script that a worker could load; and a single file loads faster.
import fs from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const target = path.join(root, "dist", "workers");

export async function buildWorkers() {
  const sources = fs
    .readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".thread.ts"));
  for (const source of sources)
    await bundle(path.join(root, "src", source), path.join(target, `${path.basename(source, ".thread.ts")}.mjs`));
}

/** Bundles one script and what it imports, except packages: ours read their data beside their code. */
export async function bundle(source, file) {
  const { build } = await import("vite");
  const { output } = await build({
    configFile: false,
    root,
    logLevel: "warn",
    publicDir: false,
    ssr: { external: ["@parley/sentence-vectors"] },
    build: {
      write: false,
      ssr: source,
      target: "node20",
      rolldownOptions: { output: { format: "es", codeSplitting: false } },
    },
  });
  if (output.length !== 1)
    throw new Error(`${source} became more than one file: ${output.map(({ fileName }) => fileName).join(", ")}`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  // A worker that starts at this moment loads a whole one.
  fs.writeFileSync(`${file}.${process.pid}`, output[0].code);
  fs.renameSync(`${file}.${process.pid}`, file);
}
