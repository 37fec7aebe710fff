import { randomBytes } from "node:crypto";
import path from "node:path";
import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type ProxyOptions } from "vite";

const root = import.meta.dirname;

/** What the server answers and not Vite. */
const SERVER = "^/(?:api|docs|widgets|openapi\\.(?:json|yaml)|healthz|readyz|metrics|service-worker\\.js)(?:[/?]|$)";
/** For `npm run dev --workspace web`, beside a server that runs elsewhere. `npm run dev` passes on to its own. */
const { PARLEY_URL } = process.env;

/** Gives pages the policy that they have in production, so that what it refuses is refused here, too. Vite's own scripts and styles have a nonce. */
function policy(): Plugin {
  const nonce = randomBytes(16).toString("base64url");
  return {
    name: "policy",
    apply: "serve",
    config: () => ({ html: { cspNonce: nonce } }),
    configureServer({ middlewares, config }) {
      const server = config.server.proxy?.[SERVER] as ProxyOptions;
      const isServers = new RegExp(SERVER);
      middlewares.use((request, response, next) => {
        if (!request.headers.accept?.includes("text/html") || isServers.test(request.url ?? "")) {
          next();
          return;
        }
        void fetch(new URL("/sign-in", server.target as string), { method: "HEAD" })
          .then(({ headers }) => headers.get("content-security-policy"))
          // Without a server there is no policy, and the page says what it lacks.
          .catch(() => null)
          .then((given) => {
            if (given)
              response.setHeader(
                "content-security-policy",
                given
                  .replace(/(script|style)-src 'self'/g, `$& 'nonce-${nonce}'`)
                  .replace("connect-src 'self'", "$& ws:"),
              );
            next();
          });
      });
    },
  };
}

export default defineConfig({
  root,
  plugins: [react(), tailwind(), policy()],
  // The client's sources, so that the dashboard needs no build of it.
  resolve: {
    alias: {
      "@parley/sdk/core": path.join(root, "../sdk/src/core.ts"),
      "@parley/sdk/enums": path.join(root, "../sdk/src/generated/enums.ts"),
    },
  },
  build: {
    outDir: path.join(root, "../dist/web"),
    emptyOutDir: true,
    // The policy of the page allows no `data:` scripts or styles, and files have names that change with their content.
    assetsInlineLimit: 0,
    // For scripts/web-size.mjs.
    manifest: true,
    // One script has all that the inbox needs. As fifty it would be a tenth larger, because each is compressed by itself.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "app", tags: ["$initial"] }] } } },
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // scripts/web-size.mjs holds the sizes.
    chunkSizeWarningLimit: 1_000,
  },
  server: {
    // The server says which origins may ask it.
    cors: false,
    proxy: { [SERVER]: { target: PARLEY_URL ?? "http://localhost:3000", changeOrigin: PARLEY_URL !== undefined } },
  },
});
