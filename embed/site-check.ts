import { fieldsContainer, formsMode, submitButton } from './account.ts'
import type { ElementKey } from './configuration.ts'
import { fieldsFor, findAll } from './fields.ts'
import { hasWord } from './guesses.ts'
import { decidingRule, isSignUp, textsIn } from './kinds.ts'
import { CONTROL, formlessScopes, isPointedAt } from './submission.ts'
import { OTHER_FORMS } from './whys.ts'
import { EMAIL, FIRST_NAME, FULL_NAME, LAST_NAME, PHONE, SUBMIT } from './words.ts'

export type ByElement<T> = Record<ElementKey, T>

/** Returns the first element that each selector finds on this page, as the script reads a form. */
export function elementsOn(): ByElement<Element | undefined> {
  const field = (key: number, scope: ParentNode) => fieldsFor(key, scope)[0] as Element | undefined
  const contact = (scope: ParentNode) => field(EMAIL, scope) || field(PHONE, scope)
  const anchor = contact(document)
  const containers = fieldsContainer
    ? findAll(fieldsContainer)
    : anchor
      ? [anchor.closest('form') || document.body]
      : []
  const container = containers.filter(contact)[0] || containers[0]
  const within = (key: number) => (container ? field(key, container) : undefined)
  const whole = container && field(FULL_NAME, container)
  return {
    firstName: within(FIRST_NAME) || whole,
    lastName: within(LAST_NAME) || whole,
    email: within(EMAIL),
    phone: within(PHONE),
    fieldsContainer: container,
    submitButton: findAll(submitButton || SUBMIT, container).concat(findAll(submitButton))[0],
  }
}

/** Returns, for each element, whether it is on the page. */
export function toMatched(elements: ByElement<unknown>): ByElement<boolean> {
  const matched = {} as ByElement<boolean>
  for (const key of Object.keys(elements) as ElementKey[]) matched[key] = !!elements[key]
  return matched
}

/** Outlines the elements, so that the owner can check them. */
export function outlineElement(elements: ByElement<Element | undefined>): void {
  for (const key of Object.keys(elements) as ElementKey[]) {
    const element = elements[key] as HTMLElement | undefined
    if (element) element.style.outline = '3px solid #0ca678'
  }
}

const MOST_FORMS = 20

/** A form on the page as the owner recognizes it, and whether it sends leads. */
export type FormFound = { name: string; verdict: 'sign-up' | 'other'; why: string }

/** Returns a root and all open shadow roots in it. */
function rootsIn(root: ParentNode): ParentNode[] {
  const hosts = findAll('*', root).filter((element) => element.shadowRoot)
  return [root].concat(...hosts.map((host) => rootsIn(host.shadowRoot!)))
}

/** Returns the forms, and fields without one that are sent together, each with its first control. */
function placesOnPage(): Map<Element, Element> {
  const places = new Map<Element, Element>()
  for (const root of rootsIn(document))
    for (const control of findAll(SUBMIT, root).concat(findAll(CONTROL, root), findAll('form', root))) {
      const place = control.closest('form') || formlessScopes(control)[0]
      if (place && !places.has(place as Element)) places.set(place as Element, control)
    }
  return places
}

/** Returns why the script takes or refuses a form, by the rule that decides about it. */
function explainRule(rule: number, form: Element, button: Element | null): string {
  const texts = textsIn(form, button)
  const other = OTHER_FORMS.find(([, where, words]) =>
    texts.some((text, at) => where & (1 << at) && hasWord(text, words)),
  )
  const whys = [
    form.closest('[data-tributary=off]') ? 'off' : 'current-password',
    'marked',
    'unmarked',
    formsMode ? 'all' : isPointedAt(form) ? 'chosen' : 'word',
    other ? other[0] : 'one-password',
  ]
  return whys[rule] || 'no-clue'
}

/** Returns the forms with an email, a phone or a password, and what each of them is to the script. */
export function formsOn(): FormFound[] {
  const reads = (form: Element) =>
    form.querySelector('[type=password]') || fieldsFor(EMAIL, form)[0] || fieldsFor(PHONE, form)[0]
  return Array.from(placesOnPage())
    .filter(([form]) => reads(form))
    .slice(0, MOST_FORMS)
    .map(([form, control]) => {
      const button = control === form ? null : control
      const rule = decidingRule(form, button)
      const shown = button && (button.textContent!.trim() || button.getAttribute('value'))
      const named = ['aria-label', 'id', 'name'].map((name) => form.getAttribute(name)).filter((name) => name)
      return {
        name: (shown || named[0] || '').slice(0, 60),
        verdict: isSignUp(rule) ? 'sign-up' : 'other',
        why: explainRule(rule, form, button),
      }
    })
}
