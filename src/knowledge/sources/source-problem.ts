import { namedEnum } from "../../platform/enums/named-enum.js";

export const SOURCE_ERROR_CODES = namedEnum("SourceErrorCode", "Why a source was not read, or only in part.", {
  unreachable: "nothing answers at the address, or it may not be called",
  robots_forbid: "the site's robots.txt does not let Parley read the address",
  robots_failed: "the site's robots.txt answered with the status in `errorValue`",
  sitemap_empty: "the sitemap names no pages",
  no_page: "no page could be read",
  too_many_pages: "one reading reads only as many pages as `errorValue` says",
  too_many_bytes: "one reading reads only as many megabytes as `errorValue` says",
  too_many_addresses: "the site names more addresses than can be looked through",
  too_slow: "the site took too long",
  stopped_answering: "the site stopped answering",
  too_much_text: "a source cannot hold all of the text",
  file_gone: "the file is not kept any more",
  file_too_slow: "the file takes too long to read",
  file_too_large: "the file takes too much memory to read",
  file_damaged: "the file is damaged, protected, or not what its name says",
  file_empty: "the file has no text that answers a question",
  help_centre_failed: "the help centre answered with the status in `errorValue`",
  help_centre_not_json: "the address does not answer with articles in JSON",
  help_centre_empty: "there are no articles with a title and a body",
  failed: "Parley failed to read it",
});
export type SourceErrorCode = (typeof SOURCE_ERROR_CODES)[number];

/** Why something was not read, and what to do. */
export interface Problem {
  code: SourceErrorCode;
  /** The status, or how many. */
  value: number | null;
  sentence: string;
}

const REST = "The others are read next time; name a part of the site to read less";
const LATER = "Read the source again later";
const SENTENCES: Record<SourceErrorCode, (value: number | null) => string> = {
  unreachable: () => "The address cannot be reached. Check the address",
  robots_forbid: () => "The site's robots.txt does not let Parley read this address. Allow the user agent Parley there",
  robots_failed: (status) => `The site's robots.txt answered with status ${status}. ${LATER}`,
  sitemap_empty: () => "The sitemap names no pages. Open it in a browser and check it",
  no_page: () => "No page could be read. Open the address in a browser and check it",
  too_many_pages: (pages) => `The site has more than ${pages} pages. ${REST}`,
  too_many_bytes: (megabytes) => `The site has more than ${megabytes} MB. ${REST}`,
  too_many_addresses: () => "The site names more addresses than can be looked through. Name a part of it to read less",
  too_slow: () => `The site takes too long to read. ${REST}`,
  stopped_answering: () => "The site stopped answering. Read it again later",
  too_much_text: () => "There is more text than one source can hold. Divide it into several sources",
  file_gone: () => "The file is kept for a day only. Upload it again and give it to this source",
  file_too_slow: () => "The file cannot be read: it takes too long to read; divide it into several",
  file_too_large: () => "The file cannot be read: it is too large to read; divide it into several",
  file_damaged: () => "The file cannot be read: it is damaged, protected, or not what its name says; save it again",
  file_empty: () => "The file has no text that answers a question. A scanned document needs text recognition first",
  help_centre_failed: (status) => `The help centre answered with status ${status}. Check that its articles are public`,
  help_centre_not_json: () => "The address must answer with articles in JSON",
  help_centre_empty: () =>
    "There are no articles with a title and a body. Check that it is an export in JSON, or the API's list of articles",
  failed: () => "The source could not be read. Read it again later",
};

export const problem = (code: SourceErrorCode, value: number | null = null): Problem => ({
  code,
  value,
  sentence: SENTENCES[code](value),
});

/** The source cannot be read. */
export class NotRead extends Error {
  constructor(readonly problem: Problem) {
    super(problem.sentence);
  }
}

/** @param cause what the client for addresses that customers choose says */
export const unreachable = (cause: string): NotRead =>
  new NotRead({ ...problem("unreachable"), sentence: `${cause}. Check the address` });
