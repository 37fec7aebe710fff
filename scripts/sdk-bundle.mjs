// Bundles an entry of the SDK as a web page would load it: with everything that it imports, minified.
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../sdk");

export async function bundleSdk(entry) {
  const { build } = await import("vite");
  const { output } = await build({
    configFile: false,
    root,
    logLevel: "warn",
    publicDir: false,
    build: {
      write: false,
      target: "es2022",
      modulePreload: false,
      rolldownOptions: {
        input: path.join(root, "src", `${entry}.ts`),
        preserveEntrySignatures: "strict",
        output: { format: "esm", comments: false },
      },
    },
  });
  if (output.length !== 1) throw new Error(`${entry} is more than one file`);
  return output[0].code;
}
