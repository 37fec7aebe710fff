// Attempts of a model that obeys everybody, over the API, on two shops with real policies:
// PARLEY_SHOPS=<folder> node bench/hostile.mjs [--attempts 10000] [--at-once 200] [--seed 1] [--from 0]
//
// The folder has abcd-guidelines.json, abcd-kb.json and tau2-retail/policy.md. Ends with 1 if anything happened that must not.
import { parseArgs } from "node:util";
import { obey } from "./hostile/attempts.mjs";
import { abcdHouse, retailHouse } from "./hostile/houses.mjs";
import { openInstallation } from "./hostile/installation.mjs";
import { openSiege } from "./hostile/siege.mjs";

const { values } = parseArgs({
  options: {
    attempts: { type: "string", default: "10000" },
    "at-once": { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    from: { type: "string", default: "0" },
  },
});
const folder = process.env.PARLEY_SHOPS;
if (!folder) throw new Error("name the folder with the policies in PARLEY_SHOPS: see bench/README.md");
const [attempts, atOnce, seed, from] = [values.attempts, values["at-once"], values.seed, values.from].map(Number);
const MODEL_KEY = "canary-key-4f7a9c";

const sieges = new Map();
const began = Date.now();
const installation = await openInstallation({
  name: "bench_hostile",
  key: MODEL_KEY,
  model: (request, response) => obey(request, response, [MODEL_KEY]),
  tools: (call) => sieges.get(call.path.split("/")[1]).answer(call),
});
try {
  const [ours, other] = [await installation.tenant("Ours"), await installation.tenant("Other")];
  // A model that answers in quotes, and one that writes.
  for (const wording of ["quotes", "own"])
    for (const house of [abcdHouse(folder), retailHouse(folder)]) {
      const { api, settle } = installation;
      house.name += `-${wording}`;
      const toolUrl = (at) => installation.toolUrl(`/${house.name}${at}`);
      sieges.set(house.name, await openSiege({ api, settle, ours, other, toolUrl }, house, { seed, wording }));
    }
  const all = [...sieges.values()];
  for (let n = from, turn = from / atOnce; n < attempts; n += atOnce, turn++) {
    await Promise.all([ours.signIn(), other.signIn()]);
    await all[turn % all.length].attack(n, Math.min(atOnce, attempts - n));
    console.error(`${n + Math.min(atOnce, attempts - n)} attempts after ${Math.round((Date.now() - began) / 1_000)} s`);
  }
  for (const [name, siege] of sieges) {
    const { counts, violations } = await siege.account();
    console.log(`${name}: ${JSON.stringify(counts, null, 1)}`);
    console.log(`${name}: ${violations.length} violations`);
    for (const violation of violations.slice(0, 20)) console.log(JSON.stringify(violation));
    if (violations.length) process.exitCode = 1;
  }
} finally {
  await installation.close();
}
