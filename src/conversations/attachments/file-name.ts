const MAX_CHARACTERS = 200;
const MAX_OF_EXTENSION = 20;
/**
 * Characters that change the writing direction (so that `cod.exe` reads `exe.doc`), and invisible ones. The joiners
 * of scripts and emojis are kept.
 */
const DECEPTIVE = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
/** Characters with a special meaning on some system. */
const RESERVED = /[<>:"|?*\p{Zl}\p{Zp}]/gu;
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * The file name that people see: whatever the sender calls the file, the name is safe to store on a disk and to read.
 */
export function safeName(given: string | undefined): string {
  const name = (given ?? "")
    .toWellFormed()
    .normalize("NFC")
    .split(/[/\\]/)
    .at(-1)!
    .replace(DECEPTIVE, "")
    .replace(RESERVED, "_")
    .replace(/\s+/g, " ")
    .replace(/^[. ]+|(?<![. ])[. ]+$/g, "")
    .replace(DEVICE, "_$1");
  return shorten(name) || "file";
}

function shorten(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_CHARACTERS) return name;
  const extension = [...extensionOf(name)];
  const end = extension.length && extension.length <= MAX_OF_EXTENSION ? [".", ...extension] : [];
  return [...characters.slice(0, MAX_CHARACTERS - end.length), ...end].join("");
}

/** The extension without the dot. Empty if there is none. */
export const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1] ?? "";

/** RFC 6266: the name in ASCII for old clients, and the full name for all others. */
export function disposition(name: string, inline: boolean): string {
  const ascii = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${inline ? "inline" : "attachment"}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
