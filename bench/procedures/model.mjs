// A language model by a script: it makes the gold calls, begins procedures, and reads what a customer means.
import { PROCEDURE } from "./requests.mjs";

/** After so many calls for one message it answers with what it knows: a run has 8 steps. */
const CALLS_A_MESSAGE = 6;
const CASE = /\(case (\d+)\)/;
let serial = 0;

/**
 * @param caseOf gives the case of a number: `toRead()`, the gold calls that are not made yet, `refused(call)`, `kind`, `call` and
 * `makesCalls`, whether it makes a change itself instead of beginning a procedure
 * @param meanings what customers mean by what no pattern reads, by their words
 */
export function scriptedModel(caseOf, meanings) {
  const counts = { readings: 0, begun: 0, answered: 0, handedOver: 0, calls: 0 };
  const complete = (name, args) => ({
    model: "script",
    choices: [
      {
        message: {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: `call_${++serial}`, type: "function", function: { name, arguments: JSON.stringify(args) } },
          ],
        },
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 10 },
  });
  const respond = (action, say = []) => complete("respond", { action, say, confidence: 1 });

  function read({ message }) {
    counts.readings++;
    return complete("respond", meanings.get(message) ?? { means: "unclear" });
  }

  function model({ messages, tools = [] }) {
    const data = JSON.parse(messages[1].content.replace(/^[^{]*/, ""));
    if (data.asked) return read(data);
    // The model is shown the newest messages only.
    const named = data.conversation.findLast(({ from, text }) => from === "contact" && CASE.test(text));
    const one = caseOf(Number(CASE.exec(named.text)[1]));
    const told = messages.filter(({ role }) => role === "tool").map(({ content }) => JSON.parse(content));
    if (told.at(-1)?.refused !== undefined) one.refused();
    const made = messages.filter(({ role }) => role === "assistant").length;
    const [next] = made < CALLS_A_MESSAGE ? one.toRead() : [];
    if (next) {
      counts.calls++;
      one.asked = next;
      return complete(next.name, next.args);
    }
    const known = [...(data.calls ?? []), ...told];
    const quoted = known.filter(({ public: texts }) => texts && Object.keys(texts).length).map(({ id }) => id);
    if (one.kind === "regret" || (one.kind === "change" && !one.isDone())) {
      if (
        (!one.makesCalls || one.kind === "regret") &&
        tools.some(({ function: { name } }) => name === "begin_procedure")
      ) {
        counts.begun++;
        return complete("begin_procedure", { name: PROCEDURE[one.call.name] });
      }
      if (one.makesCalls && !one.wasRefused) {
        counts.calls++;
        one.asked = one.call;
        return complete(one.call.name, one.call.args);
      }
    }
    if (one.kind === "change" && one.isDone()) return (counts.answered++, respond("answer", ["P.done"]));
    if (one.kind === "look" && quoted.length) return (counts.answered++, respond("answer", quoted.slice(-20)));
    counts.handedOver++;
    return respond("hand_off");
  }
  return { model, counts };
}
