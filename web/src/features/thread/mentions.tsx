import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode, type Ref, type RefObject, useImperativeHandle, useRef } from "react";
import { useTranslation } from "react-i18next";
import { membersQuery } from "../../api/queries.js";
import { useMember } from "../../session/session.js";
import { Avatar } from "../../ui/avatar.js";
import { linked } from "../../ui/links.js";
import { replaceRange, Suggestions } from "../writing/suggestions.js";
import { begunName, isMeant, mentionsIn, named, reads } from "./named.js";

const MAX_LISTED = 8;

interface Props {
  field: RefObject<HTMLTextAreaElement | null>;
  workspaceId: string;
  /** Says whom a text names, while this is on the page. */
  mentioned: Ref<(text: string) => string[]>;
}

/** While a note is written: `@` opens a list of colleagues. */
export default function Mentions({ field, workspaceId, mentioned }: Props): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const { data: members } = useQuery(membersQuery());
  const chosen = useRef(new Map<string, string>());
  const all = [...(members?.values() ?? [])];
  useImperativeHandle(mentioned, () => (text) => mentionsIn(text, all, workspaceId, chosen.current));
  return (
    <Suggestions
      field={field}
      label={t("mentions.list")}
      begun={(before) => {
        const text = begunName(before);
        return text === undefined ? undefined : { from: before.length - text.length - 1, text };
      }}
      find={(text) =>
        all
          .filter(
            (member) =>
              member.id !== me.id && reads(member, workspaceId) && isMeant(member.name, text.toLocaleLowerCase()),
          )
          .sort((one, other) => one.name.localeCompare(other.name))
          .slice(0, MAX_LISTED)
      }
      idOf={({ id }) => id}
      row={(member) => (
        <>
          <Avatar id={member.id} name={member.name} size="sm" />
          <span className="min-w-0 flex-1">
            <bdi className="block truncate">{member.name}</bdi>
            <span className="block truncate text-xs text-muted">{member.email}</span>
          </span>
        </>
      )}
      onChoose={(member, { from, to }) => {
        chosen.current.set(member.name, member.id);
        replaceRange(field.current!, `@${member.name} `, from, to);
      }}
    />
  );
}

/** The text of a note, with the names of those whom it names. */
export function MentionedText({ text, ids }: { text: string; ids: readonly string[] }): ReactNode {
  const me = useMember();
  const { data: members } = useQuery(membersQuery());
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { from, to, member } of named(
    text,
    ids.flatMap((id) => members?.get(id) ?? []),
  )) {
    parts.push(
      <Fragment key={end}>{linked(text.slice(end, from))}</Fragment>,
      <bdi
        key={`@${from}`}
        className={`rounded px-0.5 font-medium ${member.id === me.id ? "bg-accent text-on-accent" : "bg-selected text-accent-strong"}`}
      >
        {text.slice(from, to)}
      </bdi>,
    );
    end = to;
  }
  return (
    <div className="whitespace-pre-wrap">
      {parts}
      {linked(text.slice(end))}
    </div>
  );
}
