import { useMutation, useQuery } from "@tanstack/react-query";
import { FileText } from "lucide-react";
import type { ReactNode } from "react";
import { failureOf } from "../../api/failure.js";
import { parley, type Schemas } from "../../api/parley.js";
import { isPicture } from "../../drafts/files.js";
import { toast } from "../../ui/toasts.js";
import i18n from "../../i18n/i18n.js";

/** Links to files are valid for minutes. */
const LINK_MS = 4 * 60_000;

const linkOf = (id: string) => parley.attachments.get(id).then(({ url }) => url);
/** Where a file is, for some minutes. */
export const linkQuery = (id: string) => ({
  queryKey: ["attachment", id],
  queryFn: () => linkOf(id),
  staleTime: LINK_MS,
});

/** The files of a message. Pictures are shown, others are downloaded. */
export const Attachments = ({ attachments }: { attachments: Schemas["Attachment"][] }): ReactNode =>
  attachments.length > 0 && (
    <ul className="mt-2 flex flex-col gap-2">
      {attachments.map((one) => (
        <li key={one.id}>{isPicture(one) ? <Picture file={one} /> : <File file={one} />}</li>
      ))}
    </ul>
  );

/** A picture of the message that its text shows. Undefined if there is none, or if it is a file. */
export function pictureIn(attachments: readonly Schemas["Attachment"][], id: string, alt: string): ReactNode {
  const file = attachments.find((one) => one.id === id.toLowerCase());
  return file && isPicture(file) && <Picture file={alt ? { ...file, fileName: alt } : file} />;
}

/** Whether the text shows the file already. */
export const isShownIn = (text: string, file: Schemas["Attachment"]): boolean =>
  isPicture(file) && text.toLowerCase().includes(`](cid:${file.id})`);

function Picture({ file: { id, fileName, width, height } }: { file: Schemas["Attachment"] }): ReactNode {
  const { data: url } = useQuery(linkQuery(id));
  return (
    <img
      src={url}
      alt={fileName}
      width={width ?? undefined}
      height={height ?? undefined}
      loading="lazy"
      className="h-auto max-h-72 w-auto max-w-full rounded-md bg-hover"
    />
  );
}

function File({ file: { id, fileName, size } }: { file: Schemas["Attachment"] }): ReactNode {
  const open = useMutation({
    // Not a navigation: a file that is gone would leave its error in place of the page.
    mutationFn: async () =>
      Object.assign(document.createElement("a"), { href: await linkOf(id), download: "" }).click(),
    onError: (error) => toast(failureOf(error).sentence, { failed: true }),
  });
  return (
    <button
      type="button"
      onClick={() => open.mutate()}
      className="flex max-w-full items-center gap-2 rounded-md border border-line bg-surface px-2 py-1.5 text-sm hover:bg-hover"
    >
      <FileText size={16} aria-hidden="true" className="shrink-0" />
      <span className="truncate">{fileName}</span>
      <span className="shrink-0 text-muted">{sizeOf(size)}</span>
    </button>
  );
}

export const sizeOf = (bytes: number): string =>
  new Intl.NumberFormat(i18n.language, {
    style: "unit",
    unit: bytes < 1_000_000 ? "kilobyte" : "megabyte",
    maximumFractionDigits: 1,
  }).format(bytes / (bytes < 1_000_000 ? 1_000 : 1_000_000));
