import fs from "node:fs";

/** The folder of package.json, found alike from the sources and from the build. */
export const ROOT: URL = (function find(folder: URL): URL {
  return fs.existsSync(new URL("package.json", folder)) ? folder : find(new URL("..", folder));
})(new URL(".", import.meta.url));
