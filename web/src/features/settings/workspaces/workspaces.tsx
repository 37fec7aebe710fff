import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { QUIET_MS } from "../../../api/paged.js";
import type { Schemas } from "../../../api/parley.js";
import { workspacesQuery } from "../../../api/queries.js";
import { Badge } from "../../../ui/badge.js";
import { Button } from "../../../ui/button.js";
import { Part } from "../../../ui/detail-page.js";
import { Dialog } from "../../../ui/dialog.js";
import { Page } from "../../../ui/page.js";
import { Empty, Failed, Skeleton } from "../../../ui/states.js";
import { languageName } from "../../contacts/language.js";
import { BrandForm } from "./brand-form.js";
import { CreateWorkspace } from "./create-workspace.js";
import { type Brand, brandsQuery } from "./queries.js";

/** The parts that the organisation's work is divided into, and the brands that they belong to. */
export function Workspaces(): ReactNode {
  const { t } = useTranslation();
  const title = t("settings.section.workspaces");
  const navigate = useNavigate();
  const workspaces = useQuery({ ...workspacesQuery(), staleTime: QUIET_MS });
  const brands = useQuery(brandsQuery());
  const [isCreating, setCreating] = useState(false);
  const [writing, setWriting] = useState<Brand | "new">();
  const close = (): void => setWriting(undefined);
  return (
    <Page
      title={title}
      explain={t("workspaces.explain")}
      action={
        <Button look="primary" disabled={!brands.data?.length} onClick={() => setCreating(true)}>
          {t("workspaces.create")}
        </Button>
      }
    >
      <div className="flex flex-col gap-8">
        <div>
          {workspaces.error && <Failed error={workspaces.error} onRetry={() => void workspaces.refetch()} />}
          {workspaces.isPending ? (
            <Skeleton lines={2} />
          ) : workspaces.data?.length === 0 ? (
            <Empty text={t("workspaces.empty")} />
          ) : (
            <ul aria-label={title} className="flex flex-col divide-y divide-line rounded-lg border border-line">
              {workspaces.data?.map((workspace) => (
                <li key={workspace.id}>
                  <Row workspace={workspace} />
                </li>
              ))}
            </ul>
          )}
        </div>
        <Part
          title={t("workspaces.brands")}
          action={
            <Button small onClick={() => setWriting("new")}>
              {t("workspaces.createBrand")}
            </Button>
          }
        >
          <p className="max-w-xl text-muted">{t("workspaces.brandsExplain")}</p>
          {brands.error && <Failed error={brands.error} onRetry={() => void brands.refetch()} />}
          {brands.isPending ? (
            <Skeleton lines={1} />
          ) : (
            <ul
              aria-label={t("workspaces.brands")}
              className="flex flex-col divide-y divide-line rounded-lg border border-line"
            >
              {brands.data?.map((brand) => (
                <li key={brand.id} className="flex items-center gap-4 p-3">
                  <span dir="auto" className="min-w-0 flex-1 font-medium wrap-anywhere">
                    {brand.name}
                  </span>
                  <Button
                    small
                    aria-label={t("workspaces.renameNamed", { name: brand.name })}
                    onClick={() => setWriting(brand)}
                  >
                    {t("workspaces.rename")}
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </Part>
      </div>
      <Dialog open={isCreating} onClose={() => setCreating(false)} title={t("workspaces.create")}>
        <CreateWorkspace
          brands={brands.data ?? []}
          onCancel={() => setCreating(false)}
          onCreated={({ id }) =>
            void navigate({ to: "/settings/workspaces/$workspaceId", params: { workspaceId: id } })
          }
        />
      </Dialog>
      <Dialog
        open={writing !== undefined}
        onClose={close}
        title={t(writing === "new" ? "workspaces.createBrand" : "workspaces.renameBrand")}
      >
        <BrandForm brand={writing === "new" ? undefined : writing} onDone={close} />
      </Dialog>
    </Page>
  );
}

function Row({
  workspace: { id, name, status, brandName, primaryLanguage },
}: {
  workspace: Schemas["WorkspaceSummary"];
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Link
      to="/settings/workspaces/$workspaceId"
      params={{ workspaceId: id }}
      className="flex items-center gap-4 p-3 hover:bg-hover"
    >
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-2">
          <span dir="auto" className="font-medium wrap-anywhere">
            {name}
          </span>
          {status !== "active" && (
            <Badge look={status === "inactive" ? "warn" : "plain"}>{t(`workspaces.status.${status}`)}</Badge>
          )}
        </span>
        <span className="block text-sm wrap-anywhere text-muted">
          {brandName}, {languageName(primaryLanguage)}
        </span>
      </span>
      <ChevronRight size={16} aria-hidden="true" className="shrink-0 text-muted rtl:-scale-x-100" />
    </Link>
  );
}
