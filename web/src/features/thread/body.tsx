import { lazy, type ReactNode, Suspense } from "react";
import type { ShowPicture } from "../../ui/markdown.js";
import { linked } from "../../ui/links.js";

// A browser that is offline may not have it yet. Then the text is shown as it was written.
const Mentioned = lazy(() =>
  import("./mentions.js").then(
    ({ MentionedText }) => ({ default: MentionedText }),
    () => ({ default: Plain }),
  ),
);
const Markdown = lazy(() => import("../../ui/markdown.js").catch(() => ({ default: Plain })));

interface Props {
  text: string;
  format: "text" | "markdown";
  /** The members whom a note names. */
  mentions?: readonly string[];
  /** Shows a picture that came with the text. */
  picture?: ShowPicture;
}

/** The text of a message. Addresses of pages are links. Nothing in it is HTML. */
export const Body = ({ text, format, mentions = [], picture }: Props): ReactNode =>
  mentions.length > 0 ? (
    <Suspense fallback={<Plain text={text} />}>
      <Mentioned text={text} ids={mentions} />
    </Suspense>
  ) : format === "markdown" ? (
    <Suspense fallback={<Plain text={text} />}>
      <Markdown text={text} picture={picture} />
    </Suspense>
  ) : (
    <Plain text={text} />
  );

const Plain = ({ text }: { text: string }): ReactNode => <div className="whitespace-pre-wrap">{linked(text)}</div>;
