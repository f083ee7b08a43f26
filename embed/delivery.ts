import { ignoringRefusal } from './reference.ts'

const QUEUE = 'tributary_queue_'
const MOST_WAITING = 10
/** Age after which an unsent lead is dropped: a week. */
const WAIT_MS = 7 * 86_400_000

/** Returns data as JSON, without what is empty. */
export const filled = (data: object) => JSON.stringify(data, (_, value) => value || undefined)

/**
 * Sends JSON as plain text, which needs no preflight request. Cookies of the answer are accepted from the page's own
 * origin only. What fails is ignored.
 */
export const post = (url: string, body: string, then?: (reply: Response) => unknown) =>
  fetch(url, { method: 'POST', body, keepalive: true, credentials: 'same-origin' })
    .then(then)
    .catch(() => {})

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
      (JSON.parse(storage().getItem(name) || '') as Waiting[]).filter(([, since]) => Date.now() - since < WAIT_MS),
    ) || []

  function save(queue: Waiting[]) {
    ignoringRefusal(() =>
      queue[0] ? storage().setItem(name, JSON.stringify(queue.slice(-MOST_WAITING))) : storage().removeItem(name),
    )
  }

  /** Sends by fetch. Leads the server could not accept now (429, 5xx) stay stored. */
  const deliver = ([body]: Waiting) =>
    post(url, body, ({ status }) => {
      if (status !== 429 && status < 500) save(waiting().filter(([other]) => other !== body))
    })

  return {
    send(body: string) {
      // a beacon is accepted even while there is no network, and lost then
      if (ignoringRefusal(() => navigator.onLine !== false && navigator.sendBeacon(url, body))) return
      const lead: Waiting = [body, Date.now()]
      save(waiting().concat([lead]))
      deliver(lead)
    },
    resend() {
      waiting().forEach(deliver)
    },
    forget: () => save([]),
  }
}
