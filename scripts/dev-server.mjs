// One process of the server for scripts/dev.mjs, which tells it when to start. Until then it imports packages, because that is most of
// the time that a start takes.
import module from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { COMPILED } from "./dev-compile.mjs";

// Node.js 22 and later keep what they have compiled.
module.enableCompileCache?.(path.join(COMPILED, "..", "cache"));

const load = (file) => import(pathToFileURL(path.join(COMPILED, file)).href);

let app;
let database;
async function start() {
  // The application first: it imports what decorators need.
  const { createApp } = await load("app.js");
  const { openDatabase, readConfig } = await load("startup.js");
  const { describeDemo, describeSignIn, fillDemo, prepareDemo } = await load("demo/demo.js");
  const config = readConfig();
  database = await openDatabase(config, "adopt");
  app = await createApp(config, database.url);
  await app.init();
  const address = await app.getHttpAdapter().getInstance().listen({ port: 0, host: "127.0.0.1" });
  const demo = database.embedded ? await prepareDemo(app, { beside: false }) : undefined;
  if (demo) await fillDemo(app, address, demo);
  process.send({
    address,
    demo: demo && [describeSignIn(demo), ...describeDemo(config.publicUrl, demo)],
  });
}

async function stop() {
  await app?.close();
  await database?.stop();
  process.exit();
}

process.on("message", async (message) => {
  if (message.packages) return Promise.allSettled(message.packages.map((name) => import(name)));
  try {
    await start();
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
});
process.once("SIGTERM", () => void stop());
process.once("disconnect", () => void stop());
// Ctrl+C in a terminal reaches every process. scripts/dev.mjs says what ends when.
process.on("SIGINT", () => undefined);
