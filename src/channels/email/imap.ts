import net from 'node:net';
import tls from 'node:tls';
import { ChannelError } from '../channel-kind.js';

export interface ImapServer { address: string; host: string; port: number; security: 'tls' | 'starttls' | 'none' }

/**
 * Signs in, opens the inbox for reading, and goes.
 * @returns how many mails are in it
 * @throws Error as Node has it; ChannelError where the server refuses
 */
export async function lookIntoInbox(server: ImapServer, { username, password }: { username: string; password: string }, timeoutMs: number): Promise<number> {
  const line = Line.open(server, timeoutMs);
  try {
    const greeting = await line.read();
    if (!/^\* (?:OK|PREAUTH)/i.test(greeting)) throw new ChannelError('The mail server for receiving turned us away');
    if (server.security === 'starttls') {
      if (!(await line.ask('STARTTLS')).ok) throw Object.assign(new Error('no STARTTLS'), { code: 'ETLS' });
      await line.secure(server);
    }
    if (!(await line.ask(`LOGIN ${quoted(username)} ${quoted(password)}`)).ok) throw Object.assign(new Error('refused'), { code: 'EAUTH' });
    const { ok, lines } = await line.ask('EXAMINE INBOX');
    if (!ok) throw new ChannelError('The mail server for receiving shows no inbox');
    await line.ask('LOGOUT').catch(() => undefined);
    return Number(lines.map((text) => /^\* (\d+) EXISTS/i.exec(text)?.[1]).find((count) => count !== undefined) ?? 0);
  } finally {
    line.close();
  }
}

const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;
const MOST_BYTES = 65_536;

/** A connection that is read line by line, with one deadline for all of it. */
class Line {
  private buffer = '';
  private tag = 0;
  private wake: (() => void) | undefined;
  private fault: Error | undefined;

  private constructor(private socket: net.Socket, private readonly timer: NodeJS.Timeout) {
    this.listen();
  }

  static open({ address, host, port, security }: ImapServer, timeoutMs: number): Line {
    const socket = security === 'tls' ? tls.connect({ host: address, port, servername: net.isIP(host) ? undefined : host, checkServerIdentity: (_, certificate) => tls.checkServerIdentity(host, certificate) }) : net.connect({ host: address, port });
    return new Line(socket, setTimeout(() => { socket.destroy(Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })); }, timeoutMs));
  }

  private listen(): void {
    this.socket.setEncoding('utf8');
    const end = (error?: Error): void => {
      this.fault ??= error ?? new Error('the connection ended');
      this.wake?.();
    };
    this.socket.on('data', (text: string) => {
      this.buffer += text;
      if (this.buffer.length > MOST_BYTES) this.socket.destroy(new Error('too long'));
      this.wake?.();
    }).on('error', end).on('close', () => { end(); });
  }

  async read(): Promise<string> {
    for (;;) {
      const end = this.buffer.indexOf('\r\n');
      if (end >= 0) {
        const text = this.buffer.slice(0, end);
        this.buffer = this.buffer.slice(end + 2);
        return text;
      }
      if (this.fault) throw this.fault;
      await new Promise<void>((resolve) => { this.wake = resolve; });
    }
  }

  async ask(command: string): Promise<{ ok: boolean; lines: string[] }> {
    const tag = `p${++this.tag}`;
    this.socket.write(`${tag} ${command}\r\n`);
    const lines: string[] = [];
    for (;;) {
      const text = await this.read();
      if (text.startsWith(`${tag} `)) return { ok: /^\S+ OK/i.test(text), lines };
      lines.push(text);
    }
  }

  async secure({ host }: ImapServer): Promise<void> {
    const plain = this.socket;
    plain.removeAllListeners('data').removeAllListeners('close').removeAllListeners('error');
    // What came in clear behind the answer is not listened to as if it had come in safety.
    this.buffer = '';
    this.socket = tls.connect({ socket: plain, servername: net.isIP(host) ? undefined : host, checkServerIdentity: (_, certificate) => tls.checkServerIdentity(host, certificate) });
    plain.on('error', (error) => { this.socket.destroy(error); });
    this.listen();
    await new Promise<void>((resolve, reject) => { this.socket.once('secureConnect', resolve).once('error', reject); });
  }

  close(): void {
    clearTimeout(this.timer);
    this.socket.on('error', () => undefined).destroy();
  }
}
