import { forms } from './account.ts'
import { fieldsFor } from './fields.ts'
import { hasWord, normalizeText, toLabel, toLines } from './guesses.ts'
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
import { type GuessedKey, OTHERS, SIGN_UP, SUBMIT } from './words.ts'

/** Returns what a form, or the container in its place, is with this button: a place in `WHYS`. */
export const classifyForm = (form: Element, button: Element | null | undefined): number =>
  form.closest('[data-tributary=off]')
    ? OFF
    : form.querySelector('[autocomplete~=current-password]')
      ? CURRENT_PASSWORD
      : forms === 'none'
        ? UNMARKED
        : form.hasAttribute('data-tributary')
          ? MARKED
          : forms === 'marked'
            ? UNMARKED
            : forms === 'all'
              ? ALL
              : isPointedAt(form)
                ? CHOSEN
                : kindByWords(form, button || form.querySelector(SUBMIT))

function kindByWords(form: Element, button: Element | null): number {
  const has = (key: GuessedKey) => fieldsFor(key, form)[0]
  const places = [
    button ? toLabel(button) : '',
    toLines(
      form,
      ['id', 'name'],
      [
        // without the host, which is the same for all forms
        (form.getAttribute('action') || '').replace(/^\w+:\/\/[^/]*/, ''),
        (form.querySelector('[name=form_type]') || form).getAttribute('value'),
      ],
    ),
    normalizeText(location.pathname + (/^#!?\//.test(location.hash) ? location.hash : '')),
  ]
  const lines = places.join('\n')
  places.push(toLines(has('email') || form, ['name']))
  const other = OTHERS.findIndex(([where, words]) =>
    places.some((place, at) => where & (1 << at) && hasWord(place, words)),
  )
  return hasWord(lines, SIGN_UP)
    ? WORD
    : other >= 0
      ? FIRST_OTHER + other
      : form.querySelectorAll('[type=password]').length === 1 &&
          !form.querySelector('[autocomplete~=new-password]') &&
          !has('firstName') &&
          !has('lastName') &&
          !has('fullName')
        ? ONE_PASSWORD
        : NO_CLUE
}
