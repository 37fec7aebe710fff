import type { Config } from "../../platform/config/config.js";
import type { AttachmentStore } from "./attachment-store.js";
import { DiskStore } from "./disk-store.js";
import { TwoStores } from "./two-stores.js";

/** Where the settings say that files are. What is for S3 is loaded only if there is a bucket. */
export async function openStore(config: Config): Promise<AttachmentStore> {
  const disk = new DiskStore(config);
  if (!config.S3_BUCKET) return disk;
  const { S3Store } = await import("./s3/s3-store.js");
  return new TwoStores(disk, new S3Store(config), config.ATTACHMENT_STORE);
}
