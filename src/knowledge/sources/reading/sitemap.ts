import { gunzipSync } from "node:zlib";
import { xmlTokens } from "./xml.js";

/** A sitemap has no more. */
const MAX_ADDRESSES = 50_000;
const MAX_BYTES = 50 * 1_048_576;

/** The addresses in a sitemap, and the other sitemaps that it names. @throws Error: it cannot be read */
export function readSitemap(bytes: Buffer): { pages: string[]; sitemaps: string[] } {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const text = (isPacked ? gunzipSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes).toString();
  const [pages, sitemaps]: string[][] = [[], []];
  let [isIndex, isAddress, address] = [false, false, ""];
  for (const token of xmlTokens(text)) {
    if (token.type === "text") {
      if (isAddress) address += token.text;
      continue;
    }
    // Names may have a prefix, and pictures have addresses too: `image:loc`.
    if (token.name === "sitemapindex" || token.name.endsWith(":sitemapindex")) isIndex = true;
    if (token.name !== "loc") continue;
    if (token.type === "close") (isIndex ? sitemaps : pages)!.push(address.trim());
    if (pages!.length + sitemaps!.length >= MAX_ADDRESSES) break;
    [isAddress, address] = [token.type === "open", ""];
  }
  return { pages: pages!, sitemaps: sitemaps! };
}
