// The processor time of processes, as Linux counts it: in hundredths of a second, all threads of a process included.
import fs from "node:fs";

/** Fields of /proc/PID/stat from the state on; the name before it may hold anything. */
function stat(pid) {
  const text = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map((ticks) => Number(ticks) * 10_000);
  return { parent: Number(fields[1]), own: user + system, ended: childrenUser + childrenSystem };
}

/** Microseconds. */
export const cpuOf = (pid) => stat(pid).own;

/** The processes of the cluster that a connection belongs to: @returns {Promise<() => number>} their microseconds */
export async function clusterOf(client) {
  const { rows } = await client.query("select pg_backend_pid() as pid");
  const first = stat(rows[0].pid).parent;
  return () => {
    // The time of connections that have ended is with the first process, as that of its children.
    const { own, ended } = stat(first);
    let sum = own + ended;
    for (const pid of fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      try {
        const process = stat(pid);
        if (process.parent === first) sum += process.own;
      } catch {
        // It ended between the two reads.
      }
    }
    return sum;
  };
}
