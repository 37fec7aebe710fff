import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { processIdentity } from "./process.js";

/**
 * - `own`: a Parley server runs PostgreSQL on the folder
 * - `adopt`: a command runs it, until the command ends
 * - `stopping`: one of these two is about to stop it
 * - `guest`: a command uses the PostgreSQL that another process runs
 */
type ClaimRole = "own" | "adopt" | "stopping" | "guest";

interface Claim {
  role: ClaimRole;
  pid: number;
  file: string;
}

/** We own the folder, or a living process holds it, or two processes came at the same time and both stepped back. */
type ClaimOutcome = { claim: FolderClaim } | { holder: Claim } | { collided: true };

const CLAIM_FILE = /^claim\.(own|adopt|stopping|guest)\.(\d+)\.([0-9a-f]+)\.[0-9a-f]+$/;

/**
 * Which processes use a folder. Each process has one empty file named `claim.<role>.<pid>.<identity>.<random>`.
 *
 * Node has no file lock that the kernel releases when a process dies. A single shared lock file cannot be taken over
 * from a dead owner without a race. Here, a file is never taken over: each process writes its own file and then looks
 * for others. If two come at the same time, at least the later one sees the earlier one. Any process may remove the
 * file of a dead process, because its pid and identity never occur together again. PostgreSQL's own lock on the
 * cluster is a second protection.
 */
export class FolderClaim {
  private constructor(
    private readonly folder: string,
    private file: string,
  ) {}

  static take(folder: string, role: "own" | "adopt"): ClaimOutcome {
    const [earlier] = holdersOf(folder);
    if (earlier) return { holder: earlier };
    const claim = FolderClaim.write(folder, role);
    if (holdersOf(folder).every(({ file }) => file === claim.file)) return { claim };
    claim.release();
    return { collided: true };
  }

  /** Announces that this process uses the holder's server. Undefined if there is none, or if it is about to stop. */
  static visit(folder: string): FolderClaim | undefined {
    const claim = FolderClaim.write(folder, "guest");
    // Look after writing. A holder announces that it is stopping before it looks for guests, so one of the two sees
    // the other.
    if (holdersOf(folder).some(({ role }) => role === "own" || role === "adopt")) return claim;
    claim.release();
    return undefined;
  }

  private static write(folder: string, role: ClaimRole): FolderClaim {
    const file = `claim.${role}.${process.pid}.${identity(process.pid, folder)}.${randomBytes(4).toString("hex")}`;
    fs.closeSync(fs.openSync(path.join(folder, file), "wx", 0o600));
    return new FolderClaim(folder, file);
  }

  change(role: ClaimRole): void {
    const file = this.file.replace(/^claim\.[a-z]+/, `claim.${role}`);
    try {
      fs.renameSync(path.join(this.folder, this.file), path.join(this.folder, file));
    } catch (error) {
      // The folder was removed, so there is no other process to tell.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
    this.file = file;
  }

  release(): void {
    fs.rmSync(path.join(this.folder, this.file), { force: true });
  }

  /** Other processes that use our server. Our own pid is left out, because waiting for ourselves would never end. */
  guests(): number[] {
    const guests = livingClaims(this.folder).filter(({ role, pid }) => role === "guest" && pid !== process.pid);
    return guests.map(({ pid }) => pid);
  }
}

function holdersOf(folder: string): Claim[] {
  return livingClaims(folder).filter(({ role }) => role !== "guest");
}

function livingClaims(folder: string): Claim[] {
  return fs.readdirSync(folder).flatMap((file) => {
    const [, role, pid, claimed] = CLAIM_FILE.exec(file) ?? [];
    if (!role) return [];
    if (identity(Number(pid), folder) === claimed) return [{ role: role as ClaimRole, pid: Number(pid), file }];
    fs.rmSync(path.join(folder, file), { force: true });
    return [];
  });
}

/** The identity includes the folder, so that claims in a copy of the folder do not count. */
function identity(pid: number, folder: string): string | undefined {
  const began = processIdentity(pid);
  const { dev, ino } = fs.statSync(folder);
  return began && createHash("sha256").update(`${began} ${dev} ${ino}`).digest("hex").slice(0, 12);
}
