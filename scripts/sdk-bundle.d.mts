/** @returns the script, an ES module */
export function bundleSdk(entry: "core" | "index"): Promise<string>;
