import path from "node:path";
import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const root = import.meta.dirname;

export default defineConfig({
  root,
  plugins: [react(), tailwind()],
  // The client's sources, so that the dashboard needs no build of it.
  resolve: { alias: { "@parley/sdk/core": path.join(root, "../sdk/src/core.ts") } },
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
  // For `npm run dev --workspace web` beside a running `npm start`.
  server: { proxy: { "/api": "http://localhost:3000" } },
});
