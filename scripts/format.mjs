// Formats what a script writes, as `npm run format` does.
import * as oxfmt from "oxfmt";

/** @returns the text as a file of this name would have it */
export async function format(file, text) {
  const { code, errors } = await oxfmt.format(file, text, { printWidth: 120 });
  if (errors.length) throw new Error(`${file}: ${errors[0].message}`);
  return code;
}
