import { BadRequestException } from "@nestjs/common";

/** What people put before and after a word to make a password of it: at most so many characters are taken off each end. */
const DECORATION = /^[^\p{L}]{1,4}|[^\p{L}]{1,4}$/gu;
/** So much must be left of a password without the words that anybody knows about its owner. */
const MIN_OF_ITS_OWN = 8;
const MIN_WORD = 4;

export interface PasswordOwner {
  email: string;
  name: string;
  /** The name of the tenant. */
  company: string;
}

let breached: Promise<ReadonlySet<string>> | undefined;

/** The list has 49,000 passwords, of which 100 ms of parsing and 10 MB remain. It is read when the first password is set. */
const breachedPasswords = (): Promise<ReadonlySet<string>> =>
  (breached ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set(dictionary["passwords-common"].map((password) => password.toLowerCase())),
  ));

/**
 * There are no rules about kinds of characters: they make passwords harder to remember, not harder to guess.
 * @throws BadRequestException: the password is on the list of breached and common ones, or made of what is known of its owner
 */
export async function assertGoodPassword(password: string, owner: PasswordOwner): Promise<void> {
  const plain = password.normalize("NFKC").toLowerCase();
  const list = await breachedPasswords();
  if (list.has(plain) || list.has(plain.replace(DECORATION, "")) || new Set(plain).size < 4)
    throw new BadRequestException(
      "password is on a list of breached and common passwords: choose another, for example four random words",
    );
  if (withoutKnownWords(plain, owner).length < MIN_OF_ITS_OWN)
    throw new BadRequestException(
      "password is made of your name, your email or your company: choose another, for example four random words",
    );
}

function withoutKnownWords(plain: string, { email, name, company }: PasswordOwner): string {
  const words = `${email} ${name} ${company} parley`
    .normalize("NFKC")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= MIN_WORD);
  return words.reduce((rest, word) => rest.replaceAll(word, ""), plain);
}
