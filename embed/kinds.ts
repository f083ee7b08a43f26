import { formsMode } from './account.ts'
import { fieldsFor, findAll } from './fields.ts'
import { hasWord, normalizeText, toLabel, toLines } from './guesses.ts'
import { isPointedAt } from './submission.ts'
import { EMAIL, FIRST_NAME, FULL_NAME, LAST_NAME, OTHERS, SIGN_UP, SUBMIT } from './words.ts'

/** Returns what a form, or the container in its place, is with this button: the first place in `WHYS` that is true of it. */
export function classifyForm(form: Element, given: Element | null | undefined): number {
  const button = given || form.querySelector(SUBMIT)
  const has = (key: number) => fieldsFor(key, form)[0]
  const places = [
    button ? toLabel(button) : '',
    toLines(form, 'id name', [
      // without the host, which is the same for all forms
      (form.getAttribute('action') || '').replace(/^\w+:\/\/[^/]*/, ''),
      (form.querySelector('[name=form_type]') || form).getAttribute('value'),
    ]),
    normalizeText((location.pathname + location.hash).replace(/#[^!/].*/, '')),
  ]
  const lines = places.join('\n')
  places.push(toLines(has(EMAIL) || form, 'name'))
  const passwords = findAll('[type=password]', form)
  return [
    form.closest('[data-tributary=off]'),
    form.querySelector('[autocomplete~=current-password]'),
    formsMode > 2,
    form.hasAttribute('data-tributary'),
    formsMode > 1,
    formsMode,
    isPointedAt(form),
    hasWord(lines, SIGN_UP),
    ...OTHERS.map(([where, words]) => places.some((place, at) => where & (1 << at) && hasWord(place, words))),
    passwords[0] &&
      !passwords[1] &&
      !form.querySelector('[autocomplete~=new-password]') &&
      ![FULL_NAME, FIRST_NAME, LAST_NAME].some(has),
    true,
  ].findIndex((is) => is)
}
