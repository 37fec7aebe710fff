import { lazy, type ReactNode, Suspense } from "react";

// A browser that is offline may not have it yet. Then the text is shown as it was written.
const Mentioned = lazy(() =>
  import("./mentions.js").then(
    ({ MentionedText }) => ({ default: MentionedText }),
    () => ({ default: Plain }),
  ),
);
const Markdown = lazy(() => import("./markdown.js").catch(() => ({ default: Plain })));
/** A longer Markdown text is shown as it was written. */
const MAX_MARKDOWN = 20_000;

interface Props {
  text: string;
  format: "text" | "markdown";
  /** The members whom a note names. */
  mentions?: readonly string[];
}

/** The text of a message. Addresses of pages are links. Nothing in it is HTML. */
export const Body = ({ text, format, mentions = [] }: Props): ReactNode =>
  mentions.length > 0 ? (
    <Suspense fallback={<Plain text={text} />}>
      <Mentioned text={text} ids={mentions} />
    </Suspense>
  ) : format === "markdown" && text.length <= MAX_MARKDOWN ? (
    <Suspense fallback={<Plain text={text} />}>
      <Markdown text={text} />
    </Suspense>
  ) : (
    <Plain text={text} />
  );

const ADDRESS = /\bhttps?:\/\/[^\s<>"]+/g;
/** What ends a sentence, or closes a bracket around it, is not part of an address. */
const TRAILING = /[.,;:!?)\]]$/;

const Plain = ({ text }: { text: string }): ReactNode => <div className="whitespace-pre-wrap">{linked(text)}</div>;

/** A text in which addresses of pages are links. */
export function linked(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { 0: match, index } of text.matchAll(ADDRESS)) {
    let address = match;
    while (TRAILING.test(address)) address = address.slice(0, -1);
    parts.push(text.slice(end, index), <ExternalLink key={index} to={address} text={address} />);
    end = index + address.length;
  }
  return [...parts, text.slice(end)];
}

/** A link out of the dashboard. The page there learns nothing of where it came from. */
export const ExternalLink = ({ to, text }: { to: string; text: ReactNode }): ReactNode => (
  <a href={to} target="_blank" rel="noopener noreferrer nofollow" className="text-accent underline break-all">
    {text}
  </a>
);
