/** Bundles the scripts of worker threads from their current source. */
export function buildWorkers(): Promise<void>;
/** Bundles one script and what it imports, except packages. */
export function bundle(source: string, file: string): Promise<void>;
