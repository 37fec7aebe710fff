import { imageSize } from "image-size";

export interface Dimensions {
  width: number;
  height: number;
}

/**
 * The dimensions of an image, from its header alone. Nothing is decoded, whatever size the header claims.
 * @param head the beginning of the file
 */
export const dimensionsOf = (head: Buffer, contentType: string): Dimensions | undefined =>
  /^image\/(png|apng|jpeg|gif|webp|avif|heic|heif|bmp|tiff|x-icon)$/.test(contentType) ? sizeShown(head) : undefined;

/** The size of a picture as browsers show it. They look at the bytes alone. */
export function sizeShown(head: Buffer): Dimensions | undefined {
  try {
    const { orientation = 1, type = "", ...said } = imageSize(head);
    const { width, height } = largest([said, ...alsoSaid(head, type)]);
    if (![width, height].every((side) => Number.isInteger(side) && side > 0 && side < 2 ** 31)) return undefined;
    // A camera that is held upright sets the orientation instead of rotating the picture.
    return orientation > 4 ? { width: height, height: width } : { width, height };
  } catch {
    return undefined;
  }
}

const largest = (sizes: Dimensions[]): Dimensions =>
  sizes.reduce((most, one) => (one.width * one.height > most.width * most.height ? one : most));

/** What else a file says about its size. It counts, so that no small size hides a large one. */
function alsoSaid(head: Buffer, type: string): Dimensions[] {
  if (type === "gif") return [withFirstFrame(head)];
  return head.subarray(4, 8).toString("latin1") === "ftyp" ? everyIspe(head) : [];
}

const COLOUR_TABLE = 0x80;
const EXTENSION = 0x21;
const FRAME = 0x2c;

/**
 * Browsers enlarge a GIF to its first frame if that is larger than the header says.
 * @throws RangeError: it is not in this beginning of the file
 */
function withFirstFrame(head: Buffer): Dimensions {
  const flags = head.readUInt8(10);
  let at = 13 + (flags & COLOUR_TABLE ? 3 * 2 ** ((flags & 7) + 1) : 0);
  while (head.readUInt8(at) === EXTENSION) {
    at += 2;
    for (let block = head.readUInt8(at); block > 0; block = head.readUInt8(at)) at += block + 1;
    at++;
  }
  if (head.readUInt8(at) !== FRAME) throw new RangeError("no frame");
  const number = (place: number): number => head.readUInt16LE(place);
  return {
    width: Math.max(number(6), number(at + 1) + number(at + 5)),
    height: Math.max(number(8), number(at + 3) + number(at + 7)),
  };
}

/** All sizes in an AVIF or HEIF: that of the whole need not be the first one, and `clap` does not make it cheaper to decode. */
function everyIspe(head: Buffer): Dimensions[] {
  const sizes: Dimensions[] = [];
  for (let at = head.indexOf("ispe"); at >= 0 && at + 16 <= head.length; at = head.indexOf("ispe", at + 4))
    sizes.push({ width: head.readUInt32BE(at + 8), height: head.readUInt32BE(at + 12) });
  return sizes;
}

/** A browser needs four bytes for each pixel. 100 kB can hold a picture of a billion. */
const MAX_PIXELS = 40_000_000;

/** Whether browsers can stand a picture of this size. */
export const isBearable = ({ width, height }: Dimensions): boolean => width * height <= MAX_PIXELS;

/**
 * Whether browsers may display a file, because it cannot contain scripts, and a picture is of a size that they can stand. All
 * other files are saved.
 */
export const isInline = (contentType: string, width: number | null, height: number | null): boolean =>
  /^(audio|video)\//.test(contentType) ||
  (/^image\/(png|apng|jpeg|gif|webp|avif|bmp)$/.test(contentType) &&
    width !== null &&
    height !== null &&
    isBearable({ width, height }));
