// The image's HEALTHCHECK: ends with 0 if the server answers 200. `node healthcheck.mjs /readyz` asks whether it can serve requests.
import http from "node:http";

/** Less than what HEALTHCHECK allows. */
const LIMIT_MS = 4_000;

const { HOST = "", PORT = "3000" } = process.env;
const host = ["", "0.0.0.0", "::"].includes(HOST) ? "localhost" : HOST;

http
  .get({ host, port: PORT, path: process.argv[2] ?? "/healthz", timeout: LIMIT_MS })
  .on("response", ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
  .on("timeout", () => process.exit(1))
  .on("error", () => process.exit(1));
