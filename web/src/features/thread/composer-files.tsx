import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Draft } from "../../drafts/drafts.js";
import { IconButton } from "../../ui/button.js";

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
      {files.map(({ id, name }) => (
        <li key={id} className="flex items-center gap-1 rounded-md border border-line bg-canvas ps-2 text-sm">
          <span className="max-w-48 truncate">{name}</span>
          <IconButton label={t("composer.remove", { name })} className="size-6" onClick={() => onRemove(id)}>
            <X size={14} />
          </IconButton>
        </li>
      ))}
      {uploads.map((name) => (
        <li key={name} role="status" className="text-sm text-muted">
          {t("composer.uploading", { name })}
        </li>
      ))}
    </ul>
  );
}
