/** What each client is asked to do. */
export interface Task {
  baseUrl: string;
  key: string;
  workspaceId: string;
  contactId: string;
  /** The id of no conversation. */
  absentId: string;
}

/** What the server answered it. */
export interface Outcome {
  firstPage: string[];
  secondPage: string[];
  /** The id of the conversation it started. */
  started: string;
  subject: string | null;
  /** The id of its reply. */
  reply: string;
  /** The sentence of the 404. */
  notFound: string;
}

export function run(client: (task: Task) => Promise<Outcome>): void {
  void client(JSON.parse(process.env.TASK!) as Task).then((outcome) => console.log(JSON.stringify(outcome)));
}
