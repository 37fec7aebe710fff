import http from 'node:http';

export interface RawAnswer { status: number; headers: http.IncomingHttpHeaders; text: string }
export interface RawRequest { method?: string; path: string; headers?: Record<string, string | string[]>; body?: string | Buffer }

/** A request just as it is given: fetch would mend, complete or refuse much of what these tests send. */
export function ask(baseUrl: string, { method = 'GET', path, headers = {}, body }: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const { hostname, port } = new URL(baseUrl);
    const request = http.request({ hostname, port, method, path, headers: { ...length, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
        .on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text: Buffer.concat(chunks).toString() }));
    });
    request.on('error', reject).end(body);
  });
}
