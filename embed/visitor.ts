import { program } from './account.ts'
import { toJson } from './delivery.ts'
import type { Person } from './fields.ts'
import { placeIn } from './places.ts'
import { ignoringRefusal } from './refusal.ts'

/** Milliseconds in which a form may complete the one before. */
const COMPLETE_MS = 30 * 60_000
/** Milliseconds in which the same form may correct itself. */
const CORRECT_MS = 10 * 60_000
/** Milliseconds after which the page has emptied a form that it accepted. */
const STAYS_MS = 1000

/** The tab's last form: its ID, the kinds of field that it and those it joins have, and its time. */
type Last = [id: string, kinds: number, at: number]

const [read, write] = placeIn('sessionStorage', `tributary_sent_${program}`)

/** The form last sent, while its email stays in it. */
let stays: unknown = 0

/**
 * Returns a form's ID, and that of the same visitor's form before, of which the server makes one lead; `readAgain` reads
 * the form's fields.
 */
export function nextForm(email?: string, phone?: string, form?: unknown, readAgain?: () => Person) {
  const [id, before, at] = (ignoringRefusal(() => JSON.parse(read()!)) || []) as Last
  const kinds = (email ? 1 : 0) | (phone ? 2 : 0)
  const age = Date.now() - at
  const corrects = email && stays === form && age < CORRECT_MS
  const joins = (corrects || (age < COMPLETE_MS && !(kinds & before))) && id
  // a random UUID ends the address of a blob; `crypto.randomUUID` is not there on pages without HTTPS
  const submissionId = URL.createObjectURL(new Blob()).slice(-36)
  write(toJson([submissionId, joins ? kinds | before : kinds, Date.now()]))
  stays = (email && form) || 0
  // a page empties the form of a person who is done, some only once their server has answered: the next person begins
  // with an empty one
  const look = () => {
    if (stays === form && readAgain!().email !== email) stays = 0
  }
  setTimeout(look, STAYS_MS)
  addEventListener('beforeinput', look, { capture: true, once: true })
  return { submissionId, joins, corrects }
}

export const deleteForms = () => write('')
