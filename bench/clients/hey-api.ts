import { run } from "./calls";
import { conversationsGet, conversationsList, conversationsReply, conversationsStart } from "./dist/hey-api";
import { client } from "./dist/hey-api/client.gen";

run(async ({ baseUrl, key, workspaceId, contactId, absentId }) => {
  client.setConfig({ baseUrl, auth: key });

  const first = await conversationsList({ query: { limit: 2, status: ["open"] } });
  if (!first.data) throw new Error(first.error.error);
  const cursor = first.data.nextCursor;
  const second = await conversationsList({ query: { limit: 2, status: ["open"], cursor } });
  if (!second.data) throw new Error(second.error.error);

  const started = await conversationsStart({
    body: { workspaceId, contactId, subject: "hey-api", message: { body: "Where is my order?" } },
  });
  if (!started.data) throw new Error(started.error.error);
  const reply = await conversationsReply({
    path: { id: started.data.id },
    body: { body: "It left our warehouse this morning." },
  });
  if (!reply.data) throw new Error(reply.error.error);

  const absent = await conversationsGet({ path: { id: absentId } });
  if (!absent.error || absent.response?.status !== 404) throw new Error("the absent conversation was found");
  return {
    firstPage: first.data.data.map(({ id }) => id),
    secondPage: second.data.data.map(({ id }) => id),
    started: started.data.id,
    subject: started.data.subject,
    reply: reply.data.messageId,
    notFound: absent.error.error,
  };
});
