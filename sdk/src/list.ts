/**
 * A list. Await it to get its first page. Iterate over it to get all items: further pages are requested as you reach them.
 * Nothing is requested before.
 */
export class List<Item, Page> implements PromiseLike<Page>, AsyncIterable<Item> {
  readonly #request: (cursor: string | undefined) => Promise<Page>;
  #first: Promise<Page> | undefined;

  constructor(request: (cursor: string | undefined) => Promise<Page>) {
    this.#request = request;
  }

  /** Requests the first page, once. */
  then<Value = Page, Rejected = never>(
    onFulfilled?: ((page: Page) => Value | PromiseLike<Value>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Value | Rejected> {
    return (this.#first ??= this.#request(undefined)).then(onFulfilled, onRejected);
  }

  catch<Rejected>(onRejected: (reason: unknown) => Rejected | PromiseLike<Rejected>): Promise<Page | Rejected> {
    return this.then(undefined, onRejected);
  }

  finally(onFinally: () => void): Promise<Page> {
    return this.then().finally(onFinally);
  }

  /** Page by page, each as the server answers it. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let page = await this.then();
    for (let cursor: string | undefined; ;) {
      yield page;
      const next = (page as { nextCursor?: string }).nextCursor;
      if (next === undefined) return;
      if (next === cursor) throw new Error("The server answered the same page twice");
      page = await this.#request((cursor = next));
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages())
      yield* (Array.isArray(page) ? page : (page as { data: Item[] }).data) as Item[];
  }
}
