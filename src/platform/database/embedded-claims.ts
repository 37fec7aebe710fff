import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { processIdentity } from "./embedded-process.js";

/**
 * - `own`: a Parley server runs PostgreSQL on the folder
 * - `adopt`: a command does, for as long as the command takes
 * - `stopping`: one of the two is about to end it
 * - `guest`: a command uses the PostgreSQL that another process runs
 */
type ClaimRole = "own" | "adopt" | "stopping" | "guest";

interface Claim {
  role: ClaimRole;
  pid: number;
  file: string;
}

/** Either the folder is ours, or somebody alive holds it, or two came at once and both stepped back. */
type ClaimOutcome = { claim: FolderClaim } | { holder: Claim } | { collided: true };

const CLAIM_FILE = /^claim\.(own|adopt|stopping|guest)\.(\d+)\.([0-9a-f]+)\.[0-9a-f]+$/;

/**
 * Which processes use a folder, told by one empty file for each, named `claim.<role>.<pid>.<identity>.<random>`.
 *
 * Node has no file lock that the kernel drops when a process dies, and one shared lock file cannot be taken over from
 * a dead owner without a race. Here nobody ever takes over a file: each process writes its own and then looks for
 * others, so of two that come at once at least the later sees the earlier; and a dead process's file can be removed by
 * anybody, because its pid and identity never live again. PostgreSQL's own lock on the cluster stands behind this.
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

  /** Announces that this process uses the holder's server; undefined when there is none, or it is about to end. */
  static visit(folder: string): FolderClaim | undefined {
    const claim = FolderClaim.write(folder, "guest");
    // Look after writing: a holder announces its end before it looks for guests, so one of the two sees the other.
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
      // Somebody removed the folder: then nobody is left to be told.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
    this.file = file;
  }

  release(): void {
    fs.rmSync(path.join(this.folder, this.file), { force: true });
  }

  /** Other processes that use our server. Our own pid is left out: waiting for ourselves would never end. */
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

/** The folder counts too: in a copy of it, the claims that were copied along mean nothing. */
function identity(pid: number, folder: string): string | undefined {
  const began = processIdentity(pid);
  const { dev, ino } = fs.statSync(folder);
  return began && createHash("sha256").update(`${began} ${dev} ${ino}`).digest("hex").slice(0, 12);
}
