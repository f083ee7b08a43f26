/** Filters that take several values take one without a list. */
export type OneOrMany<T> = T | readonly T[];
/** One page of a list. `total` is exact up to 1,000 where the list is filtered or searched. */
export type Page<T> = {
    items: T[];
    nextCursor: string | null;
    total: number;
};
/**
 * A list, not yet asked for: awaited it is one page, iterated it is every item of every page, in order.
 *
 *     const { items, total } = await tributary.leads.list(accountId)
 *     for await (const lead of tributary.leads.list(accountId)) …
 */
export declare class List<P extends Page<unknown>, T = P['items'][number]> implements PromiseLike<P>, AsyncIterable<T> {
    #private;
    constructor(ask: (query: {
        cursor?: string;
        limit?: number;
    }) => Promise<P>);
    then<A = P, B = never>(onPage?: ((page: P) => A | PromiseLike<A>) | null, onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<A | B>;
    /** Every page, in order; of 100 items unless the query says otherwise. Rows that are added meanwhile repeat and skip none. */
    pages(): AsyncGenerator<P, void, undefined>;
    [Symbol.asyncIterator](): AsyncGenerator<T, void, undefined>;
}
