import { ConnectionError, errorOf, TimeoutError, TributaryError, UnexpectedAnswerError } from './errors.js';
import { List } from './list.js';
const MOST_BYTES = 32_000_000;
const MOST_BYTES_OF_AN_ERROR = 1_000_000;
/** Who is told to wait longer is better told by the error. */
const LONGEST_WAIT_MS = 60_000;
export function createSend(client) {
    const base = `${client.baseUrl.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1`;
    const wait = client.wait ?? pause;
    return async function send(call, options = {}) {
        const { signal } = options;
        const retries = options.retries ?? client.retries ?? 3;
        const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? 30_000;
        const url = base + pathOf(call) + queryOf(call.query);
        const body = call.body === undefined ? undefined : JSON.stringify(call.body);
        const key = call.keyed ? (options.idempotencyKey ?? makeKey()) : undefined;
        let token = await tokenFor(client, call, options);
        let mayRenew = options.token === undefined && typeof client.token === 'function';
        for (let tried = 0;; tried += 1) {
            signal?.throwIfAborted();
            const headers = headersOf(call, token, body, key);
            try {
                const ask = client.fetch ?? globalThis.fetch;
                return (await once(ask, url, { method: call.method, headers, body }, { call, signal, timeoutMs }));
            }
            catch (error) {
                signal?.throwIfAborted();
                if (!(error instanceof TributaryError))
                    throw error;
                if (error.status === 401 && mayRenew && token !== undefined) {
                    mayRenew = false;
                    const renewed = await tokenFor(client, call, options, token);
                    if (renewed === token)
                        throw error;
                    token = renewed;
                    continue;
                }
                const ms = waitAfter(error, tried);
                if (ms === undefined || tried >= retries)
                    throw error;
                await wait(ms, signal);
            }
        }
    };
}
/** A list of the API: its query with whatever page is asked for next. */
export const listOf = (send, call, options) => new List((page) => send({ ...call, query: { ...page, ...call.query, ...cursorOf(page) } }, options));
/** What goes on replaces where the caller began. */
const cursorOf = ({ cursor }) => (cursor === undefined ? {} : { cursor });
/** An id that would make another address of it is a mistake of the caller, and is sent nowhere. */
function pathOf({ path, ids = [] }) {
    let at = 0;
    return path.replace(/\{(\w+)\}/g, (_, name) => {
        const id = ids[at++];
        if (typeof id !== 'string' || /^\.{0,2}$/.test(id))
            throw new TypeError(`${path}: ${name} is no id`);
        return encodeURIComponent(id);
    });
}
/** Several values are parted by commas. */
function queryOf(query) {
    const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null);
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return text && `?${text}`;
}
async function tokenFor({ token, apiKey }, call, options, refused) {
    if (call.by === 'nobody')
        return undefined;
    if (options.token !== undefined)
        return options.token;
    if (call.by === 'wise')
        throw new TypeError(`${call.path} is called with a Wise token: { token }`);
    if (call.by === 'apiKey' && apiKey !== undefined)
        return apiKey;
    return (typeof token === 'function' ? await token(refused) : token) ?? apiKey;
}
function headersOf({ by, answers }, token, body, key) {
    const headers = new Headers({ accept: answers ? `${answers}, application/json` : 'application/json' });
    if (token !== undefined)
        headers.set('authorization', by === 'wise' ? `wise:${token}` : `Bearer ${token}`);
    if (body !== undefined)
        headers.set('content-type', 'application/json');
    if (key !== undefined)
        headers.set('idempotency-key', key);
    return headers;
}
/** One try: the answer as it is promised, else a `TributaryError`. */
async function once(ask, url, request, { call, signal, timeoutMs }) {
    const ending = new AbortController();
    const end = () => ending.abort(signal?.reason);
    let isLate = false;
    const timer = setTimeout(() => {
        isLate = true;
        ending.abort();
    }, timeoutMs);
    signal?.addEventListener('abort', end, { once: true });
    try {
        // followed, a redirect would carry the body and the key to wherever it points
        const response = await ask(url, { ...request, redirect: 'manual', signal: ending.signal });
        return await read(response, call);
    }
    catch (error) {
        if (error instanceof TributaryError)
            throw error;
        throw isLate ? new TimeoutError(timeoutMs) : new ConnectionError(error);
    }
    finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
    }
}
async function read(response, { answers = 'application/json' }) {
    const { status, headers } = response;
    const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
    const isJson = type === 'application/json';
    if (response.ok && type === undefined && (await isEmpty(response)))
        return undefined;
    if (response.ok && type === answers) {
        if (isJson)
            return parse(await readText(response, MOST_BYTES), status);
        return answers.startsWith('text/') ? response.text() : response.blob();
    }
    const retryAfter = secondsOf(headers.get('retry-after'));
    const refused = isJson && status >= 400
        ? errorOf(status, parse(await readText(response, MOST_BYTES_OF_AN_ERROR), status), retryAfter)
        : undefined;
    if (refused)
        throw refused;
    await response.body?.cancel().catch(() => { });
    const what = status === 0 || (status >= 300 && status < 400) ? 'a redirect' : `status ${status} without its own shape`;
    throw new UnexpectedAnswerError(`The server answered ${what}: is this the address of Tributary?`, status, {
        retryAfter,
    });
}
async function isEmpty(response) {
    const reader = response.body?.getReader();
    const first = await reader?.read();
    if (!reader || !first || first.done)
        return true;
    await reader.cancel().catch(() => { });
    return false;
}
function parse(text, status) {
    try {
        return JSON.parse(text);
    }
    catch (cause) {
        throw new UnexpectedAnswerError('The server answered JSON that cannot be read.', status, { cause });
    }
}
/** The text, of which no more than this is read. */
async function readText(response, mostBytes) {
    const reader = response.body?.getReader();
    if (!reader)
        return '';
    const decoder = new TextDecoder();
    let text = '';
    for (let bytes = 0;;) {
        const { done, value } = await reader.read();
        if (done)
            return text + decoder.decode();
        bytes += value.byteLength;
        if (bytes > mostBytes) {
            await reader.cancel().catch(() => { });
            throw new UnexpectedAnswerError(`The server answered more than ${mostBytes} bytes.`, response.status);
        }
        text += decoder.decode(value, { stream: true });
    }
}
/** Of `Retry-After`, which the product says in seconds and proxies also as a date. */
function secondsOf(header) {
    if (!header)
        return null;
    const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
    return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null;
}
/**
 * How long to wait before the same call again; undefined where another try would be answered alike. All calls may be
 * repeated: reading ones, those under a key, and the public ones, which repeat safely by themselves.
 */
function waitAfter(error, tried) {
    const { status, code, retryAfter } = error;
    const isRunning = status === 409 && code === 'conflict' && retryAfter !== null;
    const isProxys = error instanceof UnexpectedAnswerError && (status === 502 || status === 504);
    const isLost = error instanceof ConnectionError || error instanceof TimeoutError;
    if (!isLost && !isRunning && !isProxys && status !== 429 && status !== 503)
        return undefined;
    if (retryAfter !== null)
        return retryAfter * 1000 <= LONGEST_WAIT_MS ? retryAfter * 1000 : undefined;
    return Math.min(8000, 500 * 2 ** tried) * (0.5 + Math.random() / 2);
}
const pause = (ms, signal) => new Promise((resolve, reject) => {
    const end = () => {
        clearTimeout(timer);
        reject(signal?.reason);
    };
    const timer = setTimeout(() => {
        signal?.removeEventListener('abort', end);
        resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
});
/** Pages that are not served securely have no `randomUUID`. */
const makeKey = () => globalThis.crypto.randomUUID?.() ??
    Array.from(globalThis.crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
