import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Draft } from "../../drafts/drafts.js";
import { IconButton } from "../../ui/button.js";
import { linkQuery, sizeOf } from "./attachments.js";

interface Props {
  files: Draft["files"];
  /** The names of those that are on their way to the server. */
  uploads: readonly string[];
  onRemove: (fileId: string) => void;
}

/** What leaves with a reply or a note. */
export function ComposerFiles({ files, uploads, onRemove }: Props): ReactNode {
  const { t } = useTranslation();
  if (files.length + uploads.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-2 px-3 pb-2">
      {files.map(({ id, name, size, isPicture }) => (
        <li key={id} className="flex items-center gap-1.5 rounded-md border border-line bg-canvas ps-2 text-sm">
          {isPicture && <Thumbnail id={id} />}
          <span className="max-w-48 truncate">{name}</span>
          {size !== undefined && <span className="shrink-0 text-muted tabular-nums">{sizeOf(size)}</span>}
          <IconButton label={t("composer.remove", { name })} className="size-6" onClick={() => onRemove(id)}>
            <X size={14} />
          </IconButton>
        </li>
      ))}
      {uploads.map((name, n) => (
        <li key={n} role="status" className="text-sm text-muted">
          {t("composer.uploading", { name })}
        </li>
      ))}
    </ul>
  );
}

/** The name stands beside it. */
function Thumbnail({ id }: { id: string }): ReactNode {
  const { data: url } = useQuery(linkQuery(id));
  return <img src={url} alt="" className="-ms-1 my-1 size-6 shrink-0 rounded object-cover" />;
}
