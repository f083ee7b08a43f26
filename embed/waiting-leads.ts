import { program } from './account.ts'
import { postJson, toJson } from './delivery.ts'
import { placeIn } from './places.ts'
import { ignoringRefusal } from './refusal.ts'
import { endpoint, visitOnly } from './tag.ts'

const MOST_WAITING = 10
/** Age after which an unsent lead is dropped: a week. */
const WAIT_MS = 7 * 86_400_000

type Waiting = [body: string, since: number]

const [read, write] = placeIn(visitOnly ? 'sessionStorage' : 'localStorage', `tributary_queue_${program}`)

const waiting = (): Waiting[] =>
  ignoringRefusal(() => (JSON.parse(read()!) as Waiting[]).filter(([, since]) => Date.now() - since < WAIT_MS)) || []

const save = (leads: Waiting[]) => write(toJson(leads[0] && leads.slice(-MOST_WAITING)))

/** Sends by fetch. Leads the server could not accept now (429, 5xx) stay stored. */
const deliver = ([body]: Waiting) =>
  postJson(`${endpoint}/leads`, body, ({ status }) => {
    if (status !== 429 && status < 500) save(waiting().filter(([other]) => other !== body))
  })

/**
 * Delivers a lead: by beacon, else by a fetch that outlives the page, else stored (for this visit only if the script may
 * remember no more) and sent from the next page. A lead may arrive twice but is never lost; the server ignores the
 * second one.
 */
export function sendLead(body: string) {
  // a beacon is accepted even while there is no network, and lost then
  if (ignoringRefusal(() => navigator.onLine && navigator.sendBeacon(`${endpoint}/leads`, body))) return
  const lead: Waiting = [body, Date.now()]
  save(waiting().concat([lead]))
  deliver(lead)
}

export const resendLeads = () => waiting().map(deliver)
export const deleteLeads = () => write('')
