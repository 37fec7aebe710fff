// Holds the size of the SDK's core: what a web page loads that uses nothing but the client.
import { gzipSync } from "node:zlib";
import { bundleSdk } from "./sdk-bundle.mjs";

const MOST = 12_000;
const size = async (entry) => gzipSync(await bundleSdk(entry), { level: 9 }).length;

const core = await size("core");
console.log(`core ${core} of ${MOST} bytes, gzipped; with webhooks ${await size("index")}`);
process.exit(core > MOST ? 1 : 0);
