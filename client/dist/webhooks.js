/** The delivery is not from this product, not for this receiver, or too old. Answer it 400 and do nothing else. */
export class WebhookVerificationError extends Error {
    reason;
    constructor(reason, message) {
        super(message);
        this.name = 'WebhookVerificationError';
        this.reason = reason;
    }
}
/** A sender never signs with more keys than it has; more are somebody who wants us to compute. */
const MOST_SIGNATURES = 10;
/**
 * The event of a delivery whose signature is right by Standard Webhooks for one of the secrets (`whsec_…`). `body` is as
 * it came, before any parsing. Throws a `WebhookVerificationError` otherwise.
 */
export async function verifyWebhook(body, headers, secrets, { toleranceSeconds = 300, now = new Date() } = {}) {
    const id = headerOf(headers, 'webhook-id');
    const timestamp = headerOf(headers, 'webhook-timestamp');
    const given = headerOf(headers, 'webhook-signature');
    if (!id || !timestamp || !given)
        throw new WebhookVerificationError('headers-missing', 'webhook-id, webhook-timestamp or webhook-signature is missing.');
    const age = Math.abs(now.getTime() / 1000 - Number(timestamp));
    if (!/^\d{1,12}$/.test(timestamp) || age > toleranceSeconds)
        throw new WebhookVerificationError('timestamp-out-of-tolerance', 'The delivery is too old, or the clocks differ.');
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
    const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
    const keys = await Promise.all([secrets].flat().map(keyOf));
    if (!(await anyHolds(keys, signaturesIn(given), signed)))
        throw new WebhookVerificationError('signature-wrong', 'No signature is right for this secret.');
    return read(bytes);
}
async function anyHolds(keys, signatures, signed) {
    // compared by the platform, in constant time
    for (const key of keys)
        for (const signature of signatures)
            if (await crypto.subtle.verify('HMAC', key, signature, signed))
                return true;
    return false;
}
function read(bytes) {
    try {
        const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
        if (typeof event?.type === 'string')
            return event;
    }
    catch {
        // said below
    }
    throw new WebhookVerificationError('body-unreadable', 'The body is no event.');
}
function headerOf(headers, name) {
    if (headers instanceof Headers)
        return headers.get(name) ?? undefined;
    const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
    return typeof value === 'string' ? value : value?.[0];
}
/** Several are parted by spaces; those of other versions than `v1` are for others. */
const signaturesIn = (header) => header
    .split(' ')
    .slice(0, MOST_SIGNATURES)
    .flatMap((one) => (one.startsWith('v1,') ? (fromBase64(one.slice(3)) ?? []) : []));
function keyOf(secret) {
    const raw = fromBase64(secret.replace(/^whsec_/, ''));
    if (!raw?.length)
        throw new TypeError('A webhook secret is whsec_ and base64.');
    return crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}
function fromBase64(text) {
    try {
        return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    }
    catch {
        return undefined;
    }
}
function joined(one, other) {
    const all = new Uint8Array(one.length + other.length);
    all.set(one);
    all.set(other, one.length);
    return all;
}
