/**
 * A list, not yet asked for: awaited it is one page, iterated it is every item of every page, in order.
 *
 *     const { items, total } = await tributary.leads.list(accountId)
 *     for await (const lead of tributary.leads.list(accountId)) …
 */
export class List {
    #ask;
    #page;
    constructor(ask) {
        this.#ask = ask;
    }
    // biome-ignore lint/suspicious/noThenProperty: a list is awaited as its page
    then(onPage, onError) {
        this.#page ??= this.#ask({});
        return this.#page.then(onPage, onError);
    }
    /** Every page, in order; of 100 items unless the query says otherwise. Rows that are added meanwhile repeat and skip none. */
    async *pages() {
        let page = await this.#ask({ limit: MOST_ITEMS });
        yield page;
        while (page.nextCursor !== null) {
            page = await this.#ask({ limit: MOST_ITEMS, cursor: page.nextCursor });
            yield page;
        }
    }
    async *[Symbol.asyncIterator]() {
        for await (const page of this.pages())
            yield* page.items;
    }
}
/** Of a page. */
const MOST_ITEMS = 100;
