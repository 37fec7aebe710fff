import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../../api/failure.js";
import type { Schemas } from "../../../api/parley.js";
import { Button } from "../../../ui/button.js";
import { When } from "../../../ui/dates.js";
import { Paged } from "../../../ui/paged.js";
import { toast } from "../../../ui/toasts.js";
import { download } from "../../contacts/download.js";
import { Part } from "../part.js";
import { amount } from "./amounts.js";
import { useGroupName } from "./group-name.js";
import { type Asked, type Behind, readFile, rowsQuery } from "./report-queries.js";

/** What is behind a figure: each row leads to its conversation, and all of them come as a file. */
export function ReportRows({ asked, behind }: { asked: Asked; behind: Behind }): ReactNode {
  const { t } = useTranslation();
  const query = useInfiniteQuery(rowsQuery(asked, behind));
  const saving = useMutation({
    mutationFn: () => readFile(asked, behind),
    onSuccess: (file) => download(file, `${asked.report}.csv`),
    onError: (error) => toast(failureOf(error).sentence, { failed: true }),
  });
  return (
    <Part id="rows" title={t("reports.rows", { name: behind.title })}>
      <Button small className="self-start" disabled={saving.isPending} onClick={() => saving.mutate()}>
        {t("reports.download")}
      </Button>
      <Paged
        keyOf={({ conversationId, at }) => `${conversationId} ${at}`}
        query={query}
        label={t("reports.rows", { name: behind.title })}
        empty={<p className="text-muted">{t("reports.empty")}</p>}
        row={(row) => <Row {...row} />}
      />
    </Part>
  );
}

function Row(row: Schemas["ReportRow"]): ReactNode {
  const { conversationId, workspaceName, channelName, memberName, reason, at, seconds } = row;
  const nameOf = useGroupName();
  return (
    <Link
      to="/inbox/$view/$conversationId"
      params={{ view: "all", conversationId }}
      className="flex flex-wrap gap-x-4 p-3 hover:bg-hover"
    >
      <When at={at} className="min-w-44 font-medium tabular-nums" />
      {seconds !== null && <span className="tabular-nums">{amount("median", seconds)}</span>}
      <span className="text-muted" dir="auto">
        {[reason && nameOf(reason, null), workspaceName, channelName, memberName].filter(Boolean).join(", ")}
      </span>
    </Link>
  );
}
