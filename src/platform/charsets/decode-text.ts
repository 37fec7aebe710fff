/** What Windows-1252 has from 0x80 to 0x9f. */
const WINDOWS_SIGNS = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/**
 * Bytes as text. Node.js 20 reads Windows-1252, and so Latin 1, without the signs that make the difference: a euro became a character that
 * nobody sees.
 *
 * @throws RangeError: the alphabet is unknown
 * @throws TypeError: `fatal`, and the bytes are not of the alphabet
 */
export function decodeText(bytes: Uint8Array, charset: string, { fatal = false } = {}): string {
  const decoder = new TextDecoder(charset, { fatal });
  const text = decoder.decode(bytes);
  return decoder.encoding === "windows-1252"
    ? text.replace(/[\x80-\x9f]/g, (sign) => WINDOWS_SIGNS[sign.charCodeAt(0) - 0x80]!)
    : text;
}
