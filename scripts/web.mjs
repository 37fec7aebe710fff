// Builds the dashboard, web/, into dist/web, with a compressed copy beside each file.
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import zlib from "node:zlib";

const root = path.resolve(import.meta.dirname, "..");
const COMPRESSIBLE = /\.(?:css|js|svg)$/;

/** One script at an address of its own, which never changes. */
async function buildServiceWorker(build) {
  const { output } = await build({
    configFile: false,
    root: path.join(root, "web", "service-worker"),
    logLevel: "warn",
    publicDir: false,
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: {
        input: path.join(root, "web", "service-worker", "main.ts"),
        output: { format: "iife", comments: false },
      },
    },
  });
  fs.writeFileSync(path.join(root, "dist", "web", "service-worker.js"), output[0].code);
}

export async function buildWeb() {
  const { build } = await import("vite");
  // A test file that builds what is missing has another one, and Vite would make a page for development with it.
  process.env.NODE_ENV = "production";
  await build({ configFile: path.join(root, "web", "vite.config.ts"), logLevel: "warn" });
  await buildServiceWorker(build);
  const assets = path.join(root, "dist", "web", "assets");
  await Promise.all(
    fs
      .readdirSync(assets)
      .filter((name) => COMPRESSIBLE.test(name))
      .map(async (name) => {
        const file = path.join(assets, name);
        const bytes = fs.readFileSync(file);
        fs.writeFileSync(`${file}.br`, await promisify(zlib.brotliCompress)(bytes));
        fs.writeFileSync(`${file}.gz`, await promisify(zlib.gzip)(bytes, { level: 9 }));
      }),
  );
}
