import { formsMode } from './account.ts'
import { fieldsFor } from './fields.ts'
import { hasWord, normalizeText, toLabel, toLines } from './guesses.ts'
import { isPointedAt } from './submission.ts'
import { EMAIL, FIRST_NAME, FULL_NAME, LAST_NAME, OTHERS, SIGN_UP, SUBMIT } from './words.ts'

/** Returns a form's texts: its button's, its attributes, the page's path, and the name of its email field. */
export const textsIn = (form: Element, given: Element | null | undefined) => {
  const button = given || form.querySelector(SUBMIT)
  return [
    button ? toLabel(button) : '',
    toLines(form, 'id name', [
      // without the host, which is the same for all forms
      (form.getAttribute('action') || '').replace(/^\w+:\/\/[^/]*/, ''),
      (form.querySelector('[name=form_type]') || form).getAttribute('value'),
    ]),
    normalizeText((location.pathname + location.hash).replace(/#[^!/].*/, '')),
    toLines(fieldsFor(EMAIL, form)[0] || form, 'name'),
  ] as const
}

/**
 * Returns which rule decides about a form, or the container in its place, with this button; -1 if none does. The rules
 * refuse and take by turns.
 */
export function decidingRule(form: Element, button: Element | null | undefined): number {
  const [label, attributes, path, email] = textsIn(form, button)
  const own = `${label}\n${attributes}`
  const lines = `${own}\n${path}`
  return [
    form.closest('[data-tributary=off]') || form.querySelector('[autocomplete~=current-password]'),
    formsMode < 3 && form.hasAttribute('data-tributary'),
    formsMode > 1,
    formsMode || isPointedAt(form) || hasWord(lines, SIGN_UP),
    [lines, attributes, label, own, email].some((text, at) => hasWord(text, OTHERS[at]!)) ||
      (form.querySelectorAll('[type=password]').length === 1 &&
        !form.querySelector('[autocomplete~=new-password]') &&
        ![FULL_NAME, FIRST_NAME, LAST_NAME].some((key) => fieldsFor(key, form)[0])),
  ].findIndex((decides) => decides)
}

/** Returns whether a form that a rule decides about is a sign-up; one that none does is. */
export const isSignUp = (rule: number) => rule & 1
