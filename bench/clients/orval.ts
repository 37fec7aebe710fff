import { run } from "./calls";
import {
  conversationsGet,
  conversationsList,
  conversationsReply,
  conversationsStart,
} from "./dist/orval/conversations/conversations";

run(async ({ baseUrl, key, workspaceId, contactId, absentId }) => {
  // Its fetch client takes no base URL at run time; it is `baseUrl` of the configuration.
  const plainFetch = globalThis.fetch;
  globalThis.fetch = (path, init) => plainFetch(new URL(String(path), baseUrl), init);
  const options = { headers: { Authorization: `Bearer ${key}` } };

  const first = await conversationsList({ limit: 2, status: ["open"] }, options);
  if (first.status !== 200) throw new Error(`${first.status}`);
  const cursor = first.data.nextCursor;
  const second = await conversationsList({ limit: 2, status: ["open"], cursor }, options);
  if (second.status !== 200) throw new Error(`${second.status}`);

  const started = await conversationsStart(
    { workspaceId, contactId, subject: "orval", message: { body: "Where is my order?" } },
    options,
  );
  if (started.status !== 201) throw new Error(`${started.status}`);
  const reply = await conversationsReply(started.data.id, { body: "It left our warehouse this morning." }, options);
  if (reply.status !== 200) throw new Error(`${reply.status}`);

  const absent = await conversationsGet(absentId, options);
  if (absent.status !== 404) throw new Error("the absent conversation was found");
  return {
    firstPage: first.data.data.map(({ id }) => id),
    secondPage: second.data.data.map(({ id }) => id),
    started: started.data.id,
    subject: started.data.subject,
    reply: reply.data.messageId,
    notFound: absent.data.error,
  };
});
