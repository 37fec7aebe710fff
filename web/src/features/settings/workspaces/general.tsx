import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { parley, type Schemas } from "../../../api/parley.js";
import { Part } from "../../../ui/detail-page.js";
import { Field, Select } from "../../../ui/field.js";
import { TextArea } from "../../../ui/text-area.js";
import { useEdits } from "../edits.js";
import { LanguageOptions, TimeZoneOptions } from "./options.js";
import { type Workspace, workspaceChanged } from "./queries.js";

type Status = Schemas["WorkspaceStatus"];

/** What a status can become. */
const NEXT: Record<Status, Status[]> = {
  active: ["active", "inactive", "archived"],
  inactive: ["active", "inactive", "archived"],
  archived: ["inactive", "archived"],
};

/** Name, language, time zone and status. The brand stays the one that the workspace was created under. */
export function General({ workspace }: { workspace: Workspace }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { name, primaryLanguage, timezone, status, mailFooter, mailLogoUrl } = workspace;
  const { draft, edit, wrong, form, end } = useEdits({
    now: { name, primaryLanguage, timezone, status, mailFooter: mailFooter ?? "", mailLogoUrl: mailLogoUrl ?? "" },
    fields: ["name", "primaryLanguage", "timezone", "mailFooter", "mailLogoUrl"],
    send: ({ mailFooter: footer, mailLogoUrl: logo, ...changes }) =>
      parley.workspaces.update(workspace.id, {
        ...changes,
        ...(footer !== undefined && { mailFooter: footer.trim() || null }),
        ...(logo !== undefined && { mailLogoUrl: logo.trim() || null }),
      }),
    onSaved: (saved) => workspaceChanged(client, saved),
  });
  return (
    <Part title={t("workspaces.general")}>
      <form {...form} aria-label={t("workspaces.general")} className="flex flex-col gap-4">
        <Field
          label={t("workspaces.name")}
          value={draft.name}
          dir="auto"
          maxLength={200}
          autoComplete="off"
          error={wrong("name", t("setup.text", { max: 200 }))}
          onChange={({ target }) => edit({ name: target.value })}
        />
        <div className="flex flex-col gap-1">
          <p className="font-medium">{t("workspaces.brand")}</p>
          <p dir="auto" className="wrap-anywhere">
            {workspace.brandName}
          </p>
        </div>
        <div className="grid gap-4 sm:grid-cols-2">
          <Select
            label={t("workspaces.language")}
            hint={t("workspaces.languageHint")}
            value={draft.primaryLanguage}
            error={wrong("primaryLanguage")}
            onChange={({ target }) => edit({ primaryLanguage: target.value })}
          >
            <LanguageOptions current={primaryLanguage} />
          </Select>
          <Select
            label={t("workspaces.timezone")}
            value={draft.timezone}
            error={wrong("timezone")}
            onChange={({ target }) => edit({ timezone: target.value })}
          >
            <TimeZoneOptions current={timezone} />
          </Select>
        </div>
        <Select
          label={t("workspaces.state")}
          hint={t(`workspaces.statusMeaning.${draft.status}`)}
          value={draft.status}
          onChange={({ target }) => edit({ status: target.value as Status })}
        >
          {NEXT[status].map((one) => (
            <option key={one} value={one}>
              {t(`workspaces.status.${one}`)}
            </option>
          ))}
        </Select>
        <TextArea
          label={t("workspaces.mailFooter")}
          hint={t("workspaces.mailFooterHint")}
          dir="auto"
          maxLength={5_000}
          value={draft.mailFooter}
          error={wrong("mailFooter")}
          onChange={({ target }) => edit({ mailFooter: target.value })}
        />
        <Field
          label={t("workspaces.mailLogo")}
          hint={t("workspaces.mailLogoHint")}
          type="url"
          dir="ltr"
          placeholder="https://www.example.com/logo.png"
          maxLength={1_000}
          value={draft.mailLogoUrl}
          error={wrong("mailLogoUrl", t("workspaces.mailLogoWrong"))}
          onChange={({ target }) => edit({ mailLogoUrl: target.value })}
        />
        {end}
      </form>
    </Part>
  );
}
