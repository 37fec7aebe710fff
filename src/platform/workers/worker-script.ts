import { ROOT } from "../config/root.js";

/** A bundled script of `npm run build`: the one of `src/<anywhere>/<name>.thread.ts`. */
export const workerScript = (name: string): URL => new URL(`dist/workers/${name}.mjs`, ROOT);
