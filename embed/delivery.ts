/** Returns data as JSON, without what is empty. */
export const toJson = (data: object | null | undefined) => JSON.stringify(data, (_, value) => value || undefined)

/**
 * Sends JSON as plain text, which needs no preflight request. Cookies of the answer are accepted from the page's own
 * origin only, as a fetch does by itself. What fails is ignored.
 */
export const postJson = (url: string, body: string, then?: (reply: Response) => unknown) =>
  fetch(url, { method: 'POST', body, keepalive: true })
    .then(then)
    .catch(() => {})
