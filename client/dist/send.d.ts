import { List, type Page } from './list.ts';
/** Answers the token for a call; `refused` is the one that was just refused, for whoever renews them. */
export type TokenSource = (refused?: string) => string | Promise<string>;
export type ClientOptions = {
    /** Where the product is, such as `https://partners.example.com`. */
    baseUrl: string;
    /** A session's access token, or where to get it: asked before each call, and once more when the token is refused. */
    token?: string | TokenSource;
    /** An account's API key: for push calls, and for others where there is no `token`. */
    apiKey?: string;
    /** In place of the global one. */
    fetch?: typeof globalThis.fetch;
    /** Further tries of a call that found no answer, too many calls or nobody there; 3 where left out. */
    retries?: number;
    /** Of one try, its answer included; 30,000 where left out. */
    timeoutMs?: number;
    /** How it waits between tries, in place of a timer. */
    wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
};
export type CallOptions = {
    /** Ends the call, and the waiting between its tries. */
    signal?: AbortSignal;
    /** Makes several calls one: within 24 hours the same call under the same key takes effect once. Made up where left out. */
    idempotencyKey?: string;
    /** In place of the client's own: of a set-up link, say, or of Wise. */
    token?: string;
    retries?: number;
    timeoutMs?: number;
};
/** What the generated calls say of themselves. */
export type Call = {
    method: string;
    path: string;
    /** What stands for `{…}` in the path, in order. */
    ids?: readonly string[];
    query?: object;
    body?: unknown;
    /** It takes an idempotency key. */
    keyed?: true;
    /** What opens it, where that is not a session. */
    by?: 'nobody' | 'apiKey' | 'wise';
    /** The media type of the answer, where that is not JSON: text as a string, all else as a `Blob`. */
    answers?: string;
};
/** Makes one call, as often as it takes. */
export type Send = <T>(call: Call, options?: CallOptions) => Promise<T>;
export declare function createSend(client: ClientOptions): Send;
/** A list of the API: its query with whatever page is asked for next. */
export declare const listOf: <P extends Page<unknown>>(send: Send, call: Call & {
    query: {
        cursor?: string;
        limit?: number;
    } | undefined;
}, options?: CallOptions) => List<P, P["items"][number]>;
