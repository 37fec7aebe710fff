import { isBearable, sizeShown } from "../../../platform/pictures/picture-size.js";

/** Raster formats: SVG can hold scripts. */
const TYPE = /^image\/(?:png|jpe?g|gif|webp)$/i;
const DATA = /^data:(image\/[a-z]+);base64,([a-z\d+/=\s]*)$/i;

/** Whether the page of a mail shows it: of a kind that runs nothing, and of a size that a browser can stand. */
export function isPicture(type: string, bytes: Buffer): boolean {
  const size = TYPE.test(type) ? sizeShown(bytes) : undefined;
  return size !== undefined && isBearable(size);
}

/** The same of an address that holds the picture itself. */
export function holdsPicture(address: string): boolean {
  const [, type, base64] = DATA.exec(address) ?? [];
  return type !== undefined && isPicture(type, Buffer.from(base64!, "base64"));
}
