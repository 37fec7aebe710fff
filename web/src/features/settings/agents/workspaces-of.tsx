import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { workspacesQuery } from "../../../api/queries.js";
import { Check } from "../../../ui/check.js";
import { Alert } from "../../../ui/field.js";

/** The workspaces where an agent works. */
export function WorkspacesOf({
  ids,
  error,
  onChange,
}: {
  ids: string[];
  error: string | undefined;
  onChange: (ids: string[]) => void;
}): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const { data: workspaces } = useQuery(workspacesQuery());
  return (
    <fieldset className="flex flex-col gap-2" aria-describedby={error ? id : undefined}>
      <legend className="mb-1 font-medium">{t("agents.workspaces")}</legend>
      {workspaces?.map((workspace) => (
        <Check
          key={workspace.id}
          label={workspace.name}
          checked={ids.includes(workspace.id)}
          aria-invalid={error ? true : undefined}
          onChange={({ target }) =>
            onChange(target.checked ? [...ids, workspace.id].sort() : ids.filter((one) => one !== workspace.id))
          }
        />
      ))}
      {error && <Alert id={id}>{error}</Alert>}
    </fieldset>
  );
}
