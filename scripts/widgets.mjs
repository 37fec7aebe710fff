// Bundles the widgets, src/channels/browser/<name>/main.ts, into dist/widgets/<name>.js: one script each that needs nothing beside it.
import fs from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const sources = path.join(root, "src", "channels", "browser");
const target = path.join(root, "dist", "widgets");

export async function buildWidgets() {
  const { build } = await import("vite");
  const names = fs
    .readdirSync(sources, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  fs.mkdirSync(target, { recursive: true });
  await Promise.all(
    names.map(async (name) => {
      const { output } = await build({
        configFile: false,
        root: sources,
        logLevel: "warn",
        publicDir: false,
        build: {
          write: false,
          target: "es2020",
          modulePreload: false,
          rolldownOptions: { input: path.join(sources, name, "main.ts"), output: { format: "iife", comments: false } },
        },
      });
      if (output.length !== 1)
        throw new Error(`widget ${name} is more than one file: ${output.map(({ fileName }) => fileName).join(", ")}`);
      // A server that reads it at this moment gets a whole one.
      const file = path.join(target, `${name}.js`);
      fs.writeFileSync(`${file}.${process.pid}`, output[0].code);
      fs.renameSync(`${file}.${process.pid}`, file);
    }),
  );
}
