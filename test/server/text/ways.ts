import { randomUUID } from "node:crypto";
import { stringify } from "csv-stringify/sync";
import MailComposer from "nodemailer/lib/mail-composer/index.js";
import { safeName } from "../../../src/conversations/attachments/file-name.js";
import { download, upload } from "../attachments/support.js";
import { inHours, sync } from "../calendar/support.js";
import { deliver } from "../channels/support.js";
import { answer, asked } from "../csat/support.js";
import { walk } from "../e2e/support.js";
import type { Client } from "../../support/client.js";
import { unzip } from "../../support/unzip.js";
import { EMPTY, newPhone, newSid, tell, webhook } from "../telephony/provider.js";
import { Visitor } from "../webchat/support.js";
import { ask, newForm, newSearch, send as submit } from "../widgets/support.js";
import type { World } from "./world.js";
import { eventually } from "../../support/eventually.js";

/** What came out at a place, beside what the way promises for it. */
export interface Seen {
  place: string;
  expected: unknown;
  found: unknown;
}
/** A way by which text comes in, or out. */
export interface Way {
  name: string;
  /** How many texts it is given in one piece. */
  batch: number;
  /** How many texts a quick run gives it. */
  quick: number;
  /** Carries texts, and returns everything that came out. A text that is refused throws. */
  carry: (world: World, texts: readonly string[]) => Promise<Seen[]>;
}

const most = (text: string, characters: number): string => [...text].slice(0, characters).join("");
const same = (place: string, expected: unknown, found: unknown): Seen => ({ place, expected, found });
/** Line breaks in mails and forms are of one kind. */
const oneBreak = (text: string): string => text.replace(/\r\n?/g, "\n");
const withoutOuterBreaks = (text: string): string => text.replace(/^\n+/, "").replace(/\n+$/, "");
const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
const bodiesOf = async ({ key }: World, id: string, order = "asc") =>
  (await walk(key, `/api/conversations/${id}/messages?order=${order}`)).map(({ body }) => body);
const startOf = async (
  { key, workspaceId }: World,
  body: object = {},
): Promise<{ id: string; contactId: string; subject: string | null; lastMessagePreview: string | null }> =>
  (await key.post("/api/conversations", { workspaceId, contact: { name: "Ada" }, ...body }, 201)).body;
/** An address of a visitor: each may do only so much. */
const anAddress = (): string => `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join(".")}`;
const newestBy = async ({ app }: World, statement: string): Promise<{ id: string; conversation_id: string }[]> =>
  app.db.query(statement);

/** Where a body is shown: in the list of messages, in the preview, in the search, and in the contact's export. */
async function shown(
  world: World,
  conversationId: string,
  contactId: string,
  texts: readonly string[],
): Promise<Seen[]> {
  const { key, owner, app } = world;
  const { body } = await key.get(`/api/conversations/${conversationId}`, 200);
  const { token } = owner;
  const archive = await fetch(`${app.baseUrl}/api/contacts/${contactId}/export`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { "person.json": document } = await unzip(Buffer.from(await archive.arrayBuffer()));
  const person = JSON.parse(document!.toString()) as { conversations: { messages: { body: string }[] }[] };
  return [
    same("the messages", texts, await bodiesOf(world, conversationId)),
    same("the messages, newest first", [...texts].reverse(), await bodiesOf(world, conversationId, "desc")),
    same("the preview", most(texts.at(-1)!, 200), body.lastMessagePreview),
    same(
      "the export",
      texts,
      person.conversations.flatMap(({ messages }) => messages.map((message) => message.body)),
    ),
  ];
}

const post = {
  message: (key: Client, id: string, body: string) => key.post(`/api/conversations/${id}/messages`, { body }, 201),
  reply: (key: Client, id: string, body: string) => key.post(`/api/conversations/${id}/reply`, { body }, 200),
  note: (key: Client, id: string, body: string) => key.post(`/api/conversations/${id}/notes`, { body }, 201),
};

const api: Way = {
  name: "the API, each as a message, a reply and a note",
  batch: 50,
  quick: Infinity,
  carry: async (world, texts) => {
    const { id, contactId } = await startOf(world);
    for (const text of texts) for (const one of [post.note, post.reply, post.message]) await one(world.key, id, text);
    return shown(
      world,
      id,
      contactId,
      texts.flatMap((text) => [text, text, text]),
    );
  },
};

/** What members keep for their work. Names and titles lose the blanks around them. */
const desk: Way = {
  name: "the desk, as drafts, canned replies and names of views",
  batch: 25,
  quick: Infinity,
  carry: async (world, texts) => {
    const { owner, workspaceId } = world;
    const seen: Seen[] = [];
    for (const text of texts) {
      const { id } = await startOf(world, { contact: { name: "Ada" } });
      const draft = (await owner.put(`/api/conversations/${id}/draft`, { body: text }, 200)).body;
      seen.push(same("the draft", text, draft.body));
      seen.push(same("the draft, again", draft, (await owner.get(`/api/conversations/${id}/draft`, 200)).body));
      const title = most(text, 200).trim() || "-";
      // Braces stand for variables.
      const body = most(text, 10_000).replace(/[{}]/g, "-");
      const shortcut = `t${randomUUID()}`;
      const reply = (await owner.post("/api/canned-replies", { workspaceId, shortcut, title, body }, 201)).body;
      seen.push(same("the canned reply", { title, body }, { title: reply.title, body: reply.body }));
      const query = encodeURIComponent(most(title, 100).trim());
      const { data } = (await owner.get(`/api/canned-replies?limit=100&query=${query}`, 200)).body;
      seen.push(
        same(
          "the canned reply, found by its title",
          true,
          data.some((one) => one.id === reply.id),
        ),
      );
      const filled = await owner.post(`/api/canned-replies/${reply.id}/render`, { conversationId: id }, 200);
      seen.push(same("the canned reply, filled in", body, filled.body.body));
      await owner.delete(`/api/canned-replies/${reply.id}`, 200);
      const name = most(text, 100).trim() || "-";
      const view = (await owner.post("/api/views", { name, filter: { label: name } }, 201)).body;
      seen.push(same("the view", { name, label: name }, { name: view.name, label: view.filter.label }));
      await owner.delete(`/api/views/${view.id}`, 200);
    }
    return seen;
  },
};

/** Takes turns with messages and replies, as people do. */
const dialogues: Way = {
  name: "the API, as dialogues",
  batch: 150,
  quick: Infinity,
  carry: async (world, texts) => {
    const { id, contactId } = await startOf(world);
    for (const [n, text] of texts.entries())
      await (n % 2 && n < texts.length - 1 ? post.reply : post.message)(world.key, id, text);
    return shown(world, id, contactId, texts);
  },
};

const names: Way = {
  name: "the API: subjects, names, titles and attributes",
  batch: 10,
  quick: 60,
  carry: async (world, texts) => {
    const { key, owner, workspaceId } = world;
    const seen: Seen[] = [];
    for (const text of texts) {
      const [subject, name] = [most(text, 500), most(text, 200)];
      const attributes = { said: text };
      const made = await startOf(world, { subject, contact: { name, attributes }, message: { body: text } });
      const contact = (await key.get(`/api/contacts/${made.contactId}`, 200)).body;
      const account = (await key.post("/api/accounts", { name }, 201)).body;
      const filed = (await owner.post("/api/cases", { workspaceId, title: subject }, 201)).body;
      seen.push(
        same("the subject", subject, made.subject),
        same("the preview", most(text, 200), made.lastMessagePreview),
        same("the contact's name", name, contact.name),
        same("the attributes", attributes, contact.attributes),
        same("the account's name", name, account.name),
        same("the case's title", subject, filed.title),
        same("the message", [text], await bodiesOf(world, made.id)),
      );
      seen.push(...(await found(world, made.id, text)), await foundCase(world, filed.id, subject));
    }
    return seen;
  },
};

/** A text with words is found by itself, unless a page of others is as close. */
async function found({ key, app }: World, conversationId: string, text: string): Promise<Seen[]> {
  const query = most(text, 400);
  if (!query.trim()) return [];
  const { data } = (await key.post("/api/conversations/search", { query, limit: 100 }, 200)).body;
  const [words] = await app.db.query<{ terms: string[] }>("select search_terms($1) as terms", [query]);
  const there = data.some(({ conversation }) => conversation.id === conversationId);
  const snippets = data.flatMap((hit) => hit.snippets.flatMap(({ parts }) => parts.map((part) => part.text)));
  return [
    same("the search", true, there || !words!.terms.length || data.length >= 10),
    same(
      "the snippets",
      true,
      snippets.every((part) => part.isWellFormed()),
    ),
  ];
}

/** A case with words in its title is found by them, unless a page of newer ones has them too. */
async function foundCase({ owner, app }: World, caseId: string, title: string): Promise<Seen> {
  const q = most(title, 200).trim();
  const [words] = await app.db.query<{ terms: string[] }>("select search_terms($1) as terms", [q]);
  if (!words!.terms.length) return same("the case, found by its title", true, true);
  const { data } = (await owner.get(`/api/cases?limit=100&q=${encodeURIComponent(q)}`, 200)).body;
  const there = data.some(({ id }) => id === caseId) || data.length === 100;
  return same("the case, found by its title", true, there);
}

const files: Way = {
  name: "names of files",
  batch: 10,
  quick: 60,
  carry: async (world, texts) => {
    const { app, key } = world;
    const seen: Seen[] = [];
    for (const text of texts) {
      const made = await upload(key, text, `${text}.txt`, "text/plain");
      const file = await download(app, key, made.id);
      // The form of the request has no room for line breaks and quotes in names.
      const name = text.replace(/\r/g, "%0D").replace(/\n/g, "%0A").replace(/"/g, "%22");
      seen.push(
        same("the file", Buffer.from(text).toString("hex"), Buffer.from(await file.arrayBuffer()).toString("hex")),
        same("its name", safeName(`${name}.txt`), made.fileName),
      );
    }
    return seen;
  },
};

const mailIn: Way = {
  name: "mail that comes in: subject, body, sender's name and file name",
  batch: 200,
  quick: 100,
  carry: async (world, texts) => {
    const { app, key, mail } = world;
    const sent = new Map<string, string>();
    for (const text of texts) {
      const address = `${randomUUID()}@example.org`;
      sent.set(address, text);
      mail!.imap.deliver(
        await new MailComposer({
          from: { name: most(oneLine(text), 60), address },
          to: "support@example.com",
          subject: oneLine(text),
          text,
          textEncoding: "base64",
          attachments: [{ filename: `${oneLine(text)}.bin`, content: "x" }],
        })
          .compile()
          .build(),
      );
    }
    const received = await eventually(async () => {
      const rows = await app.db.query<{ address: string; id: string; contact_id: string; subject: string | null }>(
        `select p.value as address, c.id, c.contact_id, c.subject from conversation c
         join contact_point p on p.tenant_id = c.tenant_id and p.contact_id = c.contact_id
         where p.value = any($1)`,
        [[...sent.keys()]],
      );
      if (rows.length < sent.size) throw new Error(`${rows.length} of ${sent.size} mails came in`);
      return rows;
    }, 120_000);
    const seen: Seen[] = [];
    for (const { address, id, contact_id: contactId, subject } of received) {
      const text = sent.get(address)!;
      const [message] = (await key.get(`/api/conversations/${id}/messages`, 200)).body.data;
      const written = withoutOuterBreaks(oneBreak(text));
      const promised = written.trim() ? written : "[The mail has no text]";
      const original = message!.attachments.some(({ fileName }) => fileName === "original.eml");
      const contact = (await key.get(`/api/contacts/${contactId}`, 200)).body;
      seen.push(
        same("the body", promised, original ? promised : message!.body),
        same("the subject", most(headerOf(text), 500) || null, headerOf(subject ?? "") || null),
        same("the sender's name", true, sameName(contact.name, most(oneLine(text), 60)) || contact.name),
        same("a file", true, message!.attachments.length >= 1),
      );
    }
    return seen;
  },
};
/** A header carries no control characters, and its white space is folded. */
const headerOf = (text: string): string => oneLine(text.replace(/[\u0000-\u001f\u007f]/g, " "));
const sameName = (found: string | null, given: string): boolean =>
  headerOf(found ?? "").replace(/["\\]/g, "") === headerOf(given).replace(/["\\]/g, "");

const mailOut: Way = {
  name: "mail that goes out",
  batch: 50,
  quick: 60,
  carry: async (world, texts) => {
    const { app, key, mail } = world;
    const sent = new Map<string, string>();
    for (const text of texts) {
      const emails = [`${randomUUID()}@example.org`];
      const { id } = await startOf(world, { channelId: mail!.channelId, contact: { emails }, subject: "S" });
      const { body } = await key.post(`/api/conversations/${id}/reply`, { body: text }, 200);
      sent.set(`<${body.messageId}@parley.example.com>`, text);
    }
    await eventually(async () => {
      await deliver(app);
      const left = [...sent.keys()].filter(
        (id) => !mail!.smtp.delivered.some(({ headers }) => headers["message-id"] === id),
      );
      if (left.length) throw new Error(`${left.length} mails have not left`);
    });
    return mail!.smtp.delivered.flatMap(({ headers, body }) => {
      const text = sent.get(headers["message-id"]!);
      return text === undefined
        ? []
        : [same("the mail", withoutOuterBreaks(oneBreak(text)), withoutOuterBreaks(oneBreak(body)))];
    });
  },
};

const webchat: Way = {
  name: "web chat: what visitors write and read",
  batch: 20,
  quick: 60,
  carry: async (world, given) => {
    const { app, key, chat } = world;
    const texts = given.map((text) => most(text, 4_000));
    const visitor = await Visitor.open(app.baseUrl, chat);
    const marker = randomUUID();
    await visitor.write(marker, undefined, 201);
    const [row] = await newestBy(world, `select id, conversation_id from message where body = '${marker}'`);
    const id = row!.conversation_id;
    const stream = await visitor.listen();
    try {
      for (const text of texts) await key.post(`/api/conversations/${id}/reply`, { body: text }, 200);
      // A visitor may write only so often.
      for (const text of texts.slice(0, 8)) await visitor.write(text, undefined, 201);
      const all = [...texts, ...texts.slice(0, 8)];
      await stream.until(() => stream.texts.length >= all.length);
      return [
        same("the stream", all, stream.texts.slice(-all.length)),
        same("the visitor's history", [marker, ...all], await visitor.read()),
        same("the messages", [marker, ...all], await bodiesOf(world, id)),
      ];
    } finally {
      stream.close();
    }
  },
};

const sms: Way = {
  name: "SMS, in and out",
  batch: 20,
  quick: 60,
  carry: async (world, given) => {
    const { app, key, provider, smsId } = world;
    const texts = given.map((text) => most(text, 700));
    const From = newPhone();
    for (const Body of texts)
      if ((await tell(app, webhook(smsId), { MessageSid: newSid("SM"), From, Body, NumMedia: "0" })).text !== EMPTY)
        return [same("the webhook", "taken", "refused")];
    const [row] = await newestBy(
      world,
      `select c.id, c.id as conversation_id from conversation c join contact_point p on p.contact_id = c.contact_id where p.value = '${From}'`,
    );
    const id = row!.conversation_id;
    // The provider itself refuses an SMS without a character that shows.
    const visible = texts.filter((text) => text.trim());
    for (const text of visible) await key.post(`/api/conversations/${id}/reply`, { body: text }, 200);
    await eventually(async () => {
      await deliver(app);
      const left = visible.length - provider.sent.filter(({ to }) => to === From).length;
      if (left > 0) throw new Error(`${left} SMS have not left`);
    });
    const keywords = /^(The contact has opted)/;
    return [
      same(
        "the messages",
        [...texts, ...visible],
        (await bodiesOf(world, id)).filter((body) => !keywords.test(body)),
      ),
      same(
        "the SMS",
        visible,
        provider.sent.filter(({ to }) => to === From).map(({ body }) => body),
      ),
    ];
  },
};

const voice: Way = {
  name: "voice: transcriptions and the caller's name",
  batch: 10,
  quick: 30,
  carry: async (world, texts) => {
    const { app, key, voiceId } = world;
    const seen: Seen[] = [];
    for (const text of texts) {
      const [CallSid, From] = [newSid("CA"), newPhone()];
      await tell(app, webhook(voiceId), { CallSid, From, CallerName: text });
      const params = {
        CallSid,
        TranscriptionSid: newSid("TR"),
        TranscriptionText: text,
        TranscriptionStatus: "completed",
      };
      await tell(app, webhook(voiceId, "?event=transcription"), params);
      const [row] = await newestBy(
        world,
        `select c.contact_id as id, c.id as conversation_id from conversation c join contact_point p on p.contact_id = c.contact_id where p.value = '${From}'`,
      );
      seen.push(
        same("the message", text, (await bodiesOf(world, row!.conversation_id))[1]),
        same(
          "the caller's name",
          text.slice(0, 200).toWellFormed(),
          (await key.get(`/api/contacts/${row!.id}`, 200)).body.name,
        ),
      );
    }
    return seen;
  },
};

const contactForm: Way = {
  name: "contact forms",
  batch: 10,
  quick: 40,
  carry: async (world, texts) => {
    const { app, key, owner, workspaceId } = world;
    const form = await newForm(owner, workspaceId, { settings: { fields: { subject: "optional" } } });
    const seen: Seen[] = [];
    for (const text of texts) {
      const email = `${randomUUID()}@example.org`;
      const body = { email, name: most(text, 200), subject: most(text, 200), message: text };
      const { status } = await submit(app.client(), form, body, { ip: anAddress() });
      if (status !== 201) return [same("the form", 201, status)];
      const [row] = await newestBy(
        world,
        `select c.contact_id as id, c.id as conversation_id from conversation c join contact_point p on p.contact_id = c.contact_id where p.value = '${email}'`,
      );
      const conversation = (await key.get(`/api/conversations/${row!.conversation_id}`, 200)).body;
      seen.push(
        same("the message", [text], await bodiesOf(world, row!.conversation_id)),
        same("the subject", body.subject, conversation.subject),
        same("the name", body.name, (await key.get(`/api/contacts/${row!.id}`, 200)).body.name),
      );
    }
    return seen;
  },
};

const contactImport: Way = {
  name: "the import of contacts, as CSV and NDJSON",
  batch: 200,
  quick: 400,
  carry: async ({ key }, given) => {
    const texts = given.map((text) => most(text, 200));
    const csv = stringify([["name", "attributes.said"], ...texts.map((text) => [text, text])], { quoted: true });
    const ndjson = texts.map((text) => JSON.stringify({ name: text, attributes: { said: text } })).join("\n");
    const seen: Seen[] = [];
    for (const [type, content] of [
      ["text/csv", csv],
      ["application/x-ndjson", ndjson],
    ] as const) {
      const report = (await key.post("/api/contacts/import", new Blob([content], { type }), 200)).body;
      const ids = report.lines.map(({ contactId }) => contactId);
      seen.push(
        same(
          `${type}: errors`,
          [],
          report.lines.filter(({ error }) => error),
        ),
      );
      const made = await Promise.all(ids.map(async (id) => (await key.get(`/api/contacts/${id}`, 200)).body));
      seen.push(
        same(
          `${type}: names`,
          texts,
          made.map(({ name }) => name),
        ),
        same(
          `${type}: attributes`,
          texts.map((said) => ({ said })),
          made.map(({ attributes }) => attributes),
        ),
      );
    }
    return seen;
  },
};

/** In a CSV file an apostrophe before the beginning of a formula marks text, so one of the text itself is doubled. */
const asCell = (text: string): string => (/^'+[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text);

/** The import and the export of knowledge base entries or policies, in both formats, each into a workspace of its own. */
const entries = (kind: "kb-entries" | "policy-entries", entryOf: (text: string) => Record<string, string>): Way => ({
  name: `the import and export of ${kind}, as CSV and NDJSON`,
  batch: 200,
  quick: 400,
  carry: async ({ key, tenant }, texts) => {
    const seen: Seen[] = [];
    const given = texts.map(entryOf);
    const fields = Object.keys(given[0]!);
    for (const format of ["csv", "ndjson"] as const) {
      const { id } = (await key.post("/api/workspaces", { name: "Texts", brandId: tenant.defaults.brandId }, 201)).body;
      const content =
        format === "csv"
          ? stringify([fields, ...given.map((entry) => fields.map((field) => asCell(entry[field]!)))], { quoted: true })
          : given.map((entry) => JSON.stringify(entry)).join("\n");
      const path = `/api/workspaces/${id}/${kind}` as const;
      const report = (await key.post<{ errors: unknown[] }>(`${path}/import`, { format, content }, 200)).body;
      seen.push(same(`${format}: errors`, [], report.errors));
      const stored = await walk<Record<string, string>>(key, path);
      const pick = (entry: Record<string, unknown>): string => JSON.stringify(fields.map((field) => entry[field]));
      seen.push(same(`${format}: entries`, given.map(pick).sort(), stored.map(pick).sort()));
      const exported = (await key.get<{ content: string }>(`${path}/export?format=${format}`, 200)).body.content;
      const again = (await key.post("/api/workspaces", { name: "Again", brandId: tenant.defaults.brandId }, 201)).body;
      await key.post(`/api/workspaces/${again.id}/${kind}/import`, { format, content: exported }, 200);
      const twice = await walk<Record<string, string>>(key, `/api/workspaces/${again.id}/${kind}`);
      seen.push(same(`${format}: entries of the export`, given.map(pick).sort(), twice.map(pick).sort()));
    }
    return seen;
  },
});

const calendar: Way = {
  name: "titles and descriptions in calendars",
  batch: 50,
  quick: 30,
  carry: async (world, texts) => {
    const { app, owner } = world;
    const { server, path, calendarId } = world.calendar!;
    const made: { id: string; title: string; description: string }[] = [];
    for (const text of texts) {
      // A calendar has one kind of line break, no control characters, and titles of one line.
      const description = oneBreak(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "");
      const title = most(text, 500);
      const { body } = await owner.post(
        "/api/calendar/bookings",
        { calendarId, title, description: text, force: true, ...inHours((hour += 2)) },
        201,
      );
      made.push({
        id: body.id,
        title: most(description, 500).replace(/\n/g, " ") || "-",
        description: description,
      });
    }
    await sync(app);
    await eventually(async () => {
      const [left] = await app.db.query<{ n: number }>("select count(*)::int as n from calendar_write");
      if (left!.n) {
        await sync(app);
        throw new Error(`${left!.n} bookings are not written`);
      }
    });
    // A person moves each event: what the calendar says of it is read back.
    for (const { id } of made)
      await server.edit(`${path}${id}.ics`, (ics) =>
        ics.replace("END:VEVENT", "PRIORITY:5\r\nLOCATION:Here\r\nEND:VEVENT"),
      );
    await sync(app);
    const seen: Seen[] = [];
    for (const { id, title, description } of made) {
      const { body } = await owner.get(`/api/calendar/bookings/${id}`, 200);
      seen.push(
        same("the location that a person set", "Here", body.location),
        same("the title", title, body.title),
        same("the description", description || null, body.description),
      );
    }
    return seen;
  },
};
let hour = 48;

const csat: Way = {
  name: "comments on satisfaction",
  batch: 10,
  quick: 25,
  carry: async ({ app, key, workspaceId }, given) => {
    const seen: Seen[] = [];
    for (const text of given.map((one) => most(one, 1_000))) {
      const { link, id } = await asked(app, key, workspaceId);
      const page = await answer(app, link, { score: "1", comment: text });
      const { data } = (await key.get(`/api/quality/csat/ratings?workspaceId=${workspaceId}&limit=1`, 200)).body;
      seen.push(
        same("the page", 200, page.status),
        same("the comment", [id, text.replace(/\r\n/g, "\n")], [data[0]?.conversationId, data[0]?.comment]),
      );
    }
    return seen;
  },
};

const queries: Way = {
  name: "queries of every search",
  batch: 50,
  quick: 100,
  carry: async (world, texts) => {
    const { app, key, workspaceId } = world;
    // A session ends after a quarter of an hour, and the full set takes longer.
    const search = await newSearch(await world.tenant.owner(), workspaceId);
    const seen: Seen[] = [];
    for (const text of texts) {
      const q = encodeURIComponent(most(text, 200));
      const answers = {
        conversations: key.post("/api/conversations/search", { query: most(text, 400) }),
        contacts: key.get(`/api/contacts/search?q=${q}`),
        accounts: key.get(`/api/accounts/search?q=${q}`),
        entries: key.get(`/api/workspaces/${workspaceId}/kb-entries/search?q=${q}`),
        policies: key.get(`/api/workspaces/${workspaceId}/policy-entries/search?q=${q}`),
        widget: ask(app.client(), search, most(text, 200), { ip: anAddress() }),
        externalId: key.get(`/api/contacts?externalId=${q}`),
      };
      for (const [name, asking] of Object.entries(answers)) {
        const { status } = await asking;
        // A question without a character that shows is none.
        const blank = !text.trim() && ["conversations", "contacts", "accounts"].includes(name);
        seen.push(same(`${name}: ${text}`, blank ? 400 : 200, status));
      }
    }
    return seen;
  },
};

/** Every way. A new one is added here; the tests and the benchmark use this list. */
export const WAYS: readonly Way[] = [
  api,
  dialogues,
  desk,
  names,
  files,
  mailIn,
  mailOut,
  webchat,
  sms,
  voice,
  contactForm,
  contactImport,
  entries("kb-entries", (text) => ({ question: most(text, 2_000), answer: text })),
  entries("policy-entries", (text) => ({ title: most(text, 200), rule: text, effect: "deny" })),
  calendar,
  csat,
  queries,
];
/** These three take all texts of their kind. */
export const EVERY = { api, desk, dialogues };
