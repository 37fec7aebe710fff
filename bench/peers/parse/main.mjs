// Parse Server as its guides set it up. A user stands for each API key of Parley; its session token is the key. Cloud code
// narrows every query to the tenant, brand or workspace of the user, so that the indexes by these serve it.
import express from "express";
import { ParseServer } from "parse-server";
import { SCHEMA } from "./schema.mjs";

function cloud({ Cloud }) {
  Cloud.beforeFind("Conversation", ({ query, user, master }) => {
    if (master) return;
    const place = ["workspaceId", "brandId", "tenantId"].find((name) => user.get(name));
    if (!place) throw new Error("this user has no tenant");
    query.equalTo(place, user.get(place));
  });
}

const app = express();
const parse = new ParseServer({
  databaseURI: process.env.DATABASE_URL,
  appId: "bench",
  masterKey: process.env.MASTER_KEY,
  serverURL: "http://127.0.0.1/parse",
  cloud,
  schema: SCHEMA,
  logLevel: "error",
  logsFolder: null,
  allowClientClassCreation: false,
  // Users and roles stay in memory for a minute, not the usual 5 s, in which a key of the load seldom comes twice.
  cacheTTL: 60_000,
});
await parse.start();
app.use("/parse", parse.app);
const server = app.listen(0, "127.0.0.1", () => {
  console.log(`ready at http://127.0.0.1:${server.address().port}`);
});
