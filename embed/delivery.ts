import { attempt } from './reference.ts'

const QUEUE = 'tributary_queue'
const MOST_WAITING = 10
/** What could not be sent in a week is given up. */
const WAIT_MS = 7 * 86_400_000

/**
 * Sends JSON as plain text, which no browser asks the server about beforehand. Cookies of the answer are taken from the
 * page's own origin alone.
 */
export function post(url: string, body: string): Promise<Response> {
  return fetch(url, { method: 'POST', body, keepalive: true, credentials: 'same-origin' })
}

/** `navigator.sendBeacon` accepts what it can never send while there is no network; then it is not asked. */
function beacon(url: string, body: string): boolean {
  return attempt(() => navigator.onLine !== false && navigator.sendBeacon(url, body)) || false
}

/**
 * A page's way out for leads: by beacon, else by a fetch that outlives the page, else kept in storage
 * (of this visit only where `visitOnly`) and sent from the next page.
 * A lead may arrive twice, never not at all; the server takes the second for the same lead.
 */
export function leadDelivery(url: string, visitOnly: boolean) {
  type Waiting = [body: string, since: number]
  const storage = () => (visitOnly ? sessionStorage : localStorage)

  const waiting = (): Waiting[] =>
    attempt(() =>
      (JSON.parse(storage().getItem(QUEUE) || '[]') as Waiting[]).filter(([, since]) => Date.now() - since < WAIT_MS),
    ) || []

  function save(queue: Waiting[]) {
    attempt(() =>
      queue.length ? storage().setItem(QUEUE, JSON.stringify(queue.slice(-MOST_WAITING))) : storage().removeItem(QUEUE),
    )
  }

  const drop = (body: string) => save(waiting().filter(([other]) => other !== body))

  /** Sends again what waits. What the server could not take now (429, 5xx) waits on. */
  function resend() {
    for (const [body] of waiting()) {
      const sent = attempt(() =>
        post(url, body).then(
          ({ status }) => status === 429 || status > 499 || drop(body),
          () => {},
        ),
      )
      if (!sent && beacon(url, body)) drop(body)
    }
  }

  return {
    send(body: string) {
      if (beacon(url, body)) return
      save(waiting().concat([[body, Date.now()]]))
      resend()
    },
    resend,
    forget: () => save([]),
  }
}
