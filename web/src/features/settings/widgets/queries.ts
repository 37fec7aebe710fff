import { queryOptions } from "@tanstack/react-query";
import { QUIET_MS } from "../../../api/paged.js";
import { parley, type Schemas } from "../../../api/parley.js";
import { numberOf, orDefaults, PERCENT, percentOf } from "../edits.js";
import { wordsOf } from "../channels/draft.js";

export type Widget = Schemas["ContactFormWidget"] | Schemas["KbWidget"];
export type Kind = Widget["kind"];
type Visibility = Schemas["FieldVisibility"];

export const widgetsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["widgets", workspaceId],
    queryFn: async ({ signal }): Promise<Widget[]> => {
      const [forms, searches] = await Promise.all([
        parley.contactFormWidgets.list(workspaceId, { signal }),
        parley.kbWidgets.list(workspaceId, { signal }),
      ]);
      return [...forms, ...searches];
    },
    staleTime: QUIET_MS,
  });

/** What the form of a widget shows. Each kind uses a part of it. */
export interface WidgetDraft {
  name: string;
  allowedOrigins: string;
  title: string;
  placeholder: string;
  colour: string;
  language: string;
  results: string;
  /** In percent. */
  minConfidence: string;
  nameField: Visibility;
  phoneField: Visibility;
  subjectField: Visibility;
  thankYou: string;
  consent: string;
}

export function draftOf(widget?: Widget): WidgetDraft {
  const settings = (widget?.settings ?? {}) as Partial<Schemas["ContactFormSettings"] & Schemas["KbWidgetSettings"]>;
  const fields = orDefaults<Record<"name" | "phone" | "subject", Visibility>>(settings.fields, {
    name: "required",
    phone: "hidden",
    subject: "optional",
  });
  return {
    ...orDefaults(settings, {
      title: "",
      placeholder: "",
      colour: "#1d4ed8",
      language: "",
      thankYou: "",
      consent: "",
    }),
    name: widget?.name ?? "",
    allowedOrigins: (widget?.allowedOrigins ?? []).join("\n"),
    results: String(settings.results ?? 5),
    minConfidence: percentOf(settings.minConfidence ?? 0.1),
    nameField: fields.name,
    phoneField: fields.phone,
    subjectField: fields.subject,
  };
}

function settingsOf(draft: WidgetDraft) {
  const orNull = (text: string): string | null => text.trim() || null;
  const both = {
    title: orNull(draft.title),
    placeholder: orNull(draft.placeholder),
    colour: draft.colour,
    language: orNull(draft.language),
  };
  return {
    kb: { ...both, results: numberOf(draft.results), minConfidence: numberOf(draft.minConfidence) / PERCENT },
    contact_form: {
      ...both,
      fields: { name: draft.nameField, phone: draft.phoneField, subject: draft.subjectField },
      thankYou: orNull(draft.thankYou),
      consent: orNull(draft.consent),
    },
  };
}

/** Creates a widget, or changes what differs of it. */
export async function saveWidget(
  kind: Kind,
  at: { workspaceId: string; id?: string },
  { name, allowedOrigins, ...rest }: Partial<WidgetDraft>,
  draft: WidgetDraft,
): Promise<Widget> {
  const settings = settingsOf(draft);
  const { id, workspaceId } = at;
  if (id === undefined) {
    const body = { name: draft.name, allowedOrigins: wordsOf(draft.allowedOrigins) };
    return kind === "kb"
      ? parley.kbWidgets.create(workspaceId, { ...body, settings: settings.kb })
      : parley.contactFormWidgets.create(workspaceId, { ...body, settings: settings.contact_form });
  }
  const change = {
    ...(name !== undefined && { name }),
    ...(allowedOrigins !== undefined && { allowedOrigins: wordsOf(allowedOrigins) }),
  };
  const isRestyled = Object.keys(rest).length > 0;
  return kind === "kb"
    ? parley.kbWidgets.update(id, { ...change, ...(isRestyled && { settings: settings.kb }) })
    : parley.contactFormWidgets.update(id, { ...change, ...(isRestyled && { settings: settings.contact_form }) });
}

export const turnWidget = ({ kind, id, enabled }: Widget): Promise<Widget> =>
  kind === "kb"
    ? parley.kbWidgets.update(id, { enabled: !enabled })
    : parley.contactFormWidgets.update(id, { enabled: !enabled });

export const deleteWidget = ({ kind, id }: Widget): Promise<object> =>
  kind === "kb" ? parley.kbWidgets.delete(id) : parley.contactFormWidgets.delete(id);
