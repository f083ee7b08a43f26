import { forms } from './account.ts'
import { fieldsFor } from './fields.ts'
import { type GuessedKey, plain } from './guesses.ts'
import { isPointedAt } from './submission.ts'
import {
  ALL,
  CHOSEN,
  CURRENT_PASSWORD,
  FIRST_OTHER,
  MARKED,
  NO_CLUE,
  OFF,
  ONE_PASSWORD,
  UNMARKED,
  WORD,
} from './whys.ts'
import { has, labelOf, linesOf, OTHERS, SIGN_UP, SUBMIT } from './words.ts'

export const isSignUp = (kind: number) => kind <= NO_CLUE

/** Returns what a form, or the container in its place, is with this button: a place in `WHYS`. */
export function kindOf(form: Element, button: Element | null | undefined): number {
  if (form.closest('[data-tributary=off]')) return OFF
  if (form.querySelector('[autocomplete~=current-password]')) return CURRENT_PASSWORD
  if (forms === 'none') return UNMARKED
  if (form.hasAttribute('data-tributary')) return MARKED
  if (forms === 'marked') return UNMARKED
  if (forms === 'all') return ALL
  if (isPointedAt(form)) return CHOSEN
  const fields = (key: GuessedKey) => fieldsFor(key, form)
  const sent = button || form.querySelector(SUBMIT)
  const onButton = sent ? labelOf(sent) : ''
  if (has(onButton, SIGN_UP)) return WORD
  const attributes = linesOf(
    form.getAttribute('id'),
    form.getAttribute('name'),
    // without the host, which is the same for all forms
    (form.getAttribute('action') || '').replace(/^\w+:\/\/[^/]*/, ''),
    (form.querySelector('[name=form_type]') || form).getAttribute('value'),
  )
  const path = plain(location.pathname + (/^#!?\//.test(location.hash) ? location.hash : ''))
  const places = [onButton, attributes, path, plain((fields('email')[0] || form).getAttribute('name'))]
  const other = OTHERS.findIndex(([where, words]) =>
    places.some((lines, place) => where & (1 << place) && has(lines, words)),
  )
  if (has(`${attributes}\n${path}`, SIGN_UP)) return WORD
  if (other >= 0) return FIRST_OTHER + other
  const passwords = form.querySelectorAll('[type=password]')
  const isNew = passwords[1] || form.querySelector('[autocomplete~=new-password]')
  const isNamed = fields('firstName').concat(fields('lastName'), fields('fullName'))[0]
  return passwords[0] && !isNew && !isNamed ? ONE_PASSWORD : NO_CLUE
}
