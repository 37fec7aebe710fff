const ADDRESS = /^[^\s@<>"(),:;\\]+@[^\s@<>"(),:;\\]+\.[^\s@<>"(),:;\\]+$/;

/** Whether it can be the address of a mailbox. */
export const isAddress = (text: string): boolean => ADDRESS.test(text);

/**
 * The addresses in what was typed or pasted, as in `Hopper, Grace <grace@example.com>; charles@example.com`. A comma before an `@`
 * is part of a name.
 */
export const addressesIn = (text: string): string[] =>
  text
    .split(/(?<=@[^,;]*)[,>]|;/)
    .map((part) => part.replace(/.*</, "").trim().toLowerCase())
    .filter(Boolean);

/** Whether an address in it has ended. */
export const areWhole = (text: string): boolean => /@.*[,;>]/.test(text);
