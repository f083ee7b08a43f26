import { fieldsContainer, submitButton } from './account.ts'
import { fieldsFor, findAll } from './fields.ts'
import { hasWord, toLabel } from './guesses.ts'
import { EMAIL, PHONE, SENDS, SUBMIT } from './words.ts'

type Control = HTMLButtonElement | HTMLInputElement

/** Selects whatever a person presses to do something on the page. */
export const CONTROL = 'button,[role=button],[type=button],[type=submit],[type=image],a[href^="#"]'
/** Milliseconds after a person's press in which the data of a form are read to be sent. */
const PRESS_MS = 1000

let pressedUntil = 0

/** Sends a form, if there is one, pressed by a button; `scopes` are the places to read the fields from, nearest first. */
export type Send = (form: HTMLFormElement | null, button: Control | null | undefined, scopes: ParentNode[]) => void

/**
 * Sends what an event submits, if anything: the form, and the containers it concerns. A container may contain the form, be
 * it, or be inside it; several in one form are read as one. Pages that send by script have a control that says so, or read
 * the form's data when it is pressed.
 */
export function readSubmission(event: Event, place: Element, send: Send) {
  const isClick = event.type === 'click'
  const control = place.closest(CONTROL)
  const button = (
    !isClick
      ? (event as SubmitEvent).submitter
      : submitButton
        ? findNear(place, submitButton).find((own) => own.contains(place))
        : control && (control.matches(SUBMIT) || hasWord(toLabel(control), SENDS)) && control
  ) as Control | null | undefined
  const now = performance.now()
  if (event.isTrusted && (isClick ? button : (event as KeyboardEvent).key === 'Enter' && !control))
    pressedUntil = now + PRESS_MS
  if (isClick ? !button : event.type === 'formdata' ? now > pressedUntil : event.type !== 'submit') return
  const form = (isClick ? button!.form || button!.closest('form') : place) as HTMLFormElement | null
  const scopes = scopesOf(button || place, form)
  // the browser's own verdict, without the `invalid` events that `checkValidity` sends to the page
  const isRefused = form && !form.noValidate && !(button || ({} as Control)).formNoValidate && form.matches(':invalid')
  // beside a control that sends, others don't
  const isOther =
    isClick && !submitButton && !button!.matches(SUBMIT) && (form || scopes[0] || document).querySelector(SUBMIT)
  if (!isRefused && !isOther && scopes[0]) send(form, button, scopes)
}

/** Returns the elements that `css` finds on the page, and in the shadow root that an element is in. */
const findNear = (element: Element, css: string) =>
  findAll(css).concat(findAll(css, element.getRootNode() as ParentNode))

/** Returns whether the owner points at this form: by its container, around or inside it, or by its button. */
export const isPointedAt = (form: Element): boolean =>
  findAll(fieldsContainer).some((container) => container.contains(form) || form.contains(container)) ||
  findNear(form, submitButton).some((button) => form.contains(button) || (button as Control).form === form)

function scopesOf(place: Element, form: Element | null): ParentNode[] {
  if (!fieldsContainer) return form ? [form] : submitButton ? [document] : formlessScopes(place)
  const isInside = (container: Element) => (form ? form.contains(container) : null)
  const all = findAll(fieldsContainer)
  const inside = all.filter(isInside)
  const around = all.filter((container) => container.contains(place) && !isInside(container)).reverse()
  const scopes = inside.concat(form && around[0] ? form : [], around)
  return scopes[0] || !submitButton || all[1] ? scopes : all
}

/** A button without a form sends the fields nearest to it, not everything on the page. */
export function formlessScopes(button: Element): ParentNode[] {
  const root = button.getRootNode() as ParentNode
  for (const field of fieldsFor(EMAIL, root).concat(fieldsFor(PHONE, root))) {
    let around: Element | null = field.form ? null : field
    while (around && !around.contains(button)) around = around.querySelector(SUBMIT) ? null : around.parentElement
    if (around) return [around, root]
  }
  return []
}
