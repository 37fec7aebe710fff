import { serveJobs } from "../../platform/workers/serve-jobs.js";
import { readHelpCentre } from "./reading/help-centre.js";
import { readDocument } from "./reading/read-document.js";
import { readSitemap } from "./reading/sitemap.js";

const jobs = {
  document: readDocument,
  sitemap: (bytes: Uint8Array) => readSitemap(Buffer.from(bytes)),
  helpCentre: (bytes: Uint8Array) => readHelpCentre(Buffer.from(bytes).toString()),
};
export type SourceJobs = typeof jobs;

serveJobs(jobs);
