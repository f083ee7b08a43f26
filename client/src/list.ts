/** A filter accepts a single value or a list. */
export type OneOrMany<T> = T | readonly T[]

/** One page of a list. `total` is exact up to 1,000 if the list is filtered or searched. */
export type Page<T> = { items: T[]; nextCursor: string | null; total: number }

/**
 * A list that is requested on use: `await` returns one page, `for await` every item of all pages, in order.
 *
 *     const { items, total } = await tributary.leads.list(accountId)
 *     for await (const lead of tributary.leads.list(accountId)) …
 */
export class List<P extends Page<unknown>, T = P['items'][number]> implements PromiseLike<P>, AsyncIterable<T> {
  readonly #ask: (query: { cursor?: string; limit?: number }) => Promise<P>
  #page: Promise<P> | undefined

  constructor(ask: (query: { cursor?: string; limit?: number }) => Promise<P>) {
    this.#ask = ask
  }

  // biome-ignore lint/suspicious/noThenProperty: a list is awaited as its page
  then<A = P, B = never>(
    onPage?: ((page: P) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#page ??= this.#ask({})
    return this.#page.then(onPage, onError)
  }

  /** Yields all pages in order, of 100 items by default. Rows added meanwhile cause no repetitions or gaps. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    let page = await this.#ask({ limit: MOST_ITEMS })
    yield page
    while (page.nextCursor !== null) {
      page = await this.#ask({ limit: MOST_ITEMS, cursor: page.nextCursor })
      yield page
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.items as T[]
  }
}

/** Most items per page. */
const MOST_ITEMS = 100
