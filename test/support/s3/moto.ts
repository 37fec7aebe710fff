import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { freePort } from "../ports.js";
import { type Bucket, bucketAt } from "./bucket.js";

/** Whether this machine has moto, which has versions and roles. */
export const MOTO = spawnSync("python3", ["-c", "import moto.server"], { stdio: "ignore" }).status === 0;

/** Is added to the names of tests that are skipped without it. */
export const WITHOUT_MOTO = MOTO ? "" : " (left out: no moto was found; pip install 'moto[server]')";

/** So many names are on a page of a list. On S3 there are 1,000, which take moto several seconds to store. */
export const PAGE = 50;

/** A bucket on a real moto that keeps versions. */
export async function startMoto(): Promise<Bucket> {
  const port = await freePort("127.0.0.1");
  const server = spawn("python3", ["-m", "moto.server", "-H", "127.0.0.1", "-p", String(port)], {
    stdio: "ignore",
    env: { ...process.env, MOTO_S3_DEFAULT_MAX_KEYS: String(PAGE) },
  });
  const ended = once(server, "exit");
  const bucket = bucketAt(`http://127.0.0.1:${port}`, "test", "test", async () => {
    server.kill("SIGKILL");
    await ended;
  });
  for (;;) {
    const made = await bucket.request("PUT", "").catch(() => undefined);
    if (made?.ok) break;
    if (server.exitCode !== null) throw new Error("moto has ended");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const versioned = "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>";
  await bucket.request("PUT", "?versioning", versioned);
  return bucket;
}

/** All versions of all objects, and the markers of deletions. */
export async function versionsOf({ request }: Bucket): Promise<string[]> {
  const xml = await (await request("GET", "?versions&max-keys=1000")).text();
  return [...xml.matchAll(/<(?:Version|DeleteMarker)>.*?<Key>([^<]*)<\/Key>/gs)].map((match) => match[1]!);
}
