import { ignoringRefusal } from './reference.ts'

const QUEUE = 'tributary_queue_'
const MOST_WAITING = 10
/** Age after which an unsent lead is dropped: a week. */
const WAIT_MS = 7 * 86_400_000

/**
 * Sends JSON as plain text, which needs no preflight request. Cookies of the answer are accepted from the page's own
 * origin only.
 */
export function post(url: string, body: string): Promise<Response> {
  return fetch(url, { method: 'POST', body, keepalive: true, credentials: 'same-origin' })
}

/** `navigator.sendBeacon` accepts data it can never send while there is no network, so it is skipped then. */
function beacon(url: string, body: string): boolean | undefined {
  return ignoringRefusal(() => navigator.onLine !== false && navigator.sendBeacon(url, body))
}

/**
 * Delivers a page's leads: by beacon, else by a fetch that outlives the page, else stored (for this visit only if
 * `visitOnly`) and sent from the next page. A lead may arrive twice but is never lost; the server ignores the second
 * one.
 */
export function leadDelivery(program: string, url: string, visitOnly: boolean) {
  const name = QUEUE + program
  type Waiting = [body: string, since: number]
  const storage = () => (visitOnly ? sessionStorage : localStorage)

  const waiting = (): Waiting[] =>
    ignoringRefusal(() =>
      (JSON.parse(storage().getItem(name) || '[]') as Waiting[]).filter(([, since]) => Date.now() - since < WAIT_MS),
    ) || []

  function save(queue: Waiting[]) {
    ignoringRefusal(() =>
      queue.length ? storage().setItem(name, JSON.stringify(queue.slice(-MOST_WAITING))) : storage().removeItem(name),
    )
  }

  const drop = (body: string) => save(waiting().filter(([other]) => other !== body))

  /** Resends stored leads. Leads the server could not accept now (429, 5xx) stay stored. */
  function resend() {
    for (const [body] of waiting()) {
      const sent = ignoringRefusal(() =>
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
