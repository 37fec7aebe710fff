const ADDRESS = /^[^\s@<>"(),:;\\]+@[^\s@<>"(),:;\\]+\.[^\s@<>"(),:;\\]+$/;

/** Whether it can be the address of a mailbox. */
export const isAddress = (text: string): boolean => ADDRESS.test(text);

/** The addresses in what was typed or pasted, as in `Hopper, Grace <grace@example.com>; charles@example.com`. */
export const addressesIn = (text: string): string[] =>
  text
    .replace(/(?<=^|[,;\n])(?:[^;\n<>@]*|[^,;\n<>]*)<([^<>]+)>/g, "$1,")
    .split(/[,;\n]+/)
    .map((part) => part.trim().toLowerCase())
    .filter(Boolean);

/** Whether what is typed so far ends with an address, or more. The comma in `Hopper, Grace` ends none. */
export const areWhole = (text: string): boolean => /[;\n>]|@.*,/.test(text);
