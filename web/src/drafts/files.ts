import type { Schemas } from "../api/parley.js";
import type { DraftFile } from "./drafts.js";

/** Raster formats that the browser can show, and that run no script. */
const PICTURES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
/** With more pixels a picture is a file, as the server sends it: small files can hold pictures that no browser can stand. */
const MAX_PIXELS = 40_000_000;

/** Whether a file is a picture that the page shows. */
export const isPicture = ({ contentType, width, height }: Schemas["Attachment"]): boolean =>
  PICTURES.has(contentType) && width !== null && height !== null && width * height <= MAX_PIXELS;

/** An upload, as a draft has it. */
export const draftFile = (file: Schemas["Attachment"]): DraftFile => ({
  id: file.id,
  name: file.fileName,
  size: file.size,
  isPicture: isPicture(file),
});
