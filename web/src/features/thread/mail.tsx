import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { parley } from "../../api/parley.js";
import { Skeleton } from "../../ui/states.js";
import styles from "./mail-page.css?url";

/** A longer mail is cut until the member wants all of it. */
const MAX_HEIGHT = 560;

/** A mail as its sender formatted it, on paper of its own: its colours are made for white. */
export default function FormattedMail({ id, onFailed }: { id: string; onFailed: () => void }): ReactNode {
  const { t } = useTranslation();
  const [pictures, setPictures] = useState(false);
  const { data, isError, isFetching } = useQuery({
    queryKey: ["mail", id, pictures],
    queryFn: () => parley.conversations.mailHtml(id, { pictures }),
    staleTime: Infinity,
    placeholderData: (before) => before,
  });
  const failed = useEffectEvent(onFailed);
  useEffect(() => {
    if (isError) failed();
  }, [isError]);
  if (!data) return <Skeleton lines={4} />;
  return (
    <>
      <Page html={data.html.replaceAll("<summary>…</summary>", `<summary>${t("sentMail.quoted")}</summary>`)} />
      {data.isCut && <p className="mt-1 text-xs text-muted">{t("sentMail.cut")}</p>}
      {data.picturesLeftOut > 0 && !pictures && (
        <p className="mt-1 flex flex-wrap items-baseline gap-x-2 text-xs text-muted">
          <button type="button" className="text-accent hover:underline" onClick={() => setPictures(true)}>
            {t("sentMail.pictures", { count: data.picturesLeftOut })}
          </button>
          {t("sentMail.picturesWhy")}
        </p>
      )}
      {pictures && isFetching && <Skeleton lines={1} />}
    </>
  );
}

/**
 * A frame without scripts. It has our origin only so that we can see how high its page is, which is of no use to a page that
 * runs nothing.
 */
function Page({ html }: { html: string }): ReactNode {
  const { t } = useTranslation();
  const [height, setHeight] = useState(120);
  const [whole, setWhole] = useState(false);
  const observer = useRef<ResizeObserver>(null);
  useEffect(() => () => observer.current?.disconnect(), []);
  const isLong = height > MAX_HEIGHT && !whole;
  return (
    <>
      <iframe
        title={t("sentMail.title")}
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        srcDoc={`${HEAD}<body>${html}</body>`}
        onLoad={({ currentTarget: { contentDocument } }) => {
          observer.current?.disconnect();
          if (!contentDocument) return;
          observer.current = new ResizeObserver(() => setHeight(contentDocument.body.offsetHeight));
          observer.current.observe(contentDocument.body);
        }}
        className="block w-full rounded bg-white"
        style={{ height: isLong ? MAX_HEIGHT : height }}
      />
      {isLong && (
        <button type="button" className="mt-1 block text-accent hover:underline" onClick={() => setWhole(true)}>
          {t("sentMail.all")}
        </button>
      )}
    </>
  );
}

const HEAD = `<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="${styles}">`;
