import { load } from "@parley/sentence-vectors";
import { serveJobs } from "../../platform/workers/serve-jobs.js";

const loaded = load();
const jobs = {
  embed: async (texts: readonly string[]): Promise<(Float32Array | null)[]> => texts.map(await loaded),
};
export type SentenceJobs = typeof jobs;

serveJobs(jobs);
