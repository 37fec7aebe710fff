import fs from "node:fs";

/** The folder of package.json, for the sources and for the build. */
export const ROOT: URL = (function find(folder: URL): URL {
  return fs.existsSync(new URL("package.json", folder)) ? folder : find(new URL("..", folder));
})(new URL(".", import.meta.url));
