import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import { parley } from "../../../api/parley.js";
import { Button } from "../../../ui/button.js";
import { Part } from "../../../ui/detail-page.js";
import { Failed } from "../../../ui/states.js";
import { type Workspace, workspaceChanged } from "./queries.js";

/** As the API takes it. */
async function base64Of(file: File): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error!);
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(",") + 1);
}

/** What the corner of the dashboard, mails, the chat and surveys show. */
export function Logo({ workspace: { id, name, logoUrl } }: { workspace: Workspace }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const change = useMutation({
    mutationFn: async (file: File | null) => {
      if (file) return parley.logos.set(id, { image: await base64Of(file) });
      await parley.logos.remove(id);
      return parley.workspaces.get(id);
    },
    onSuccess: (saved) => workspaceChanged(client, saved),
  });
  return (
    <Part title={t("workspaces.logo")}>
      <div className="flex flex-wrap items-center gap-4">
        {logoUrl !== null && (
          <img
            src={logoUrl}
            alt={t("workspaces.logoOf", { name })}
            className="outlined h-12 max-w-40 rounded-sm object-contain"
          />
        )}
        <input
          ref={field}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          className="sr-only"
          tabIndex={-1}
          aria-label={t("workspaces.logoFile")}
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            target.value = "";
            if (file) change.mutate(file);
          }}
        />
        <div className="flex gap-2">
          <Button disabled={change.isPending} onClick={() => field.current?.click()}>
            {t(logoUrl === null ? "workspaces.logoAdd" : "workspaces.logoChange")}
          </Button>
          {logoUrl !== null && (
            <Button look="quiet" disabled={change.isPending} onClick={() => change.mutate(null)}>
              {t("workspaces.logoRemove")}
            </Button>
          )}
        </div>
      </div>
      <p className="mt-2 text-sm text-muted">{t("workspaces.logoHint")}</p>
      {change.error && <Failed error={change.error} />}
    </Part>
  );
}
