import type { Selectors } from './configuration.ts'
import { fieldsFor, findAll } from './fields.ts'
import { ignoringRefusal } from './reference.ts'

type Control = HTMLButtonElement | HTMLInputElement

/** Selects the controls that send a form, or would if there were one. */
export const SUBMIT = 'button:not([type=button]):not([type=reset]),input[type=submit],input[type=image]'

export type Submission = {
  form: HTMLFormElement | null
  button: Element | null | undefined
  /** Places to read the fields from, nearest first. */
  scopes: ParentNode[]
  /** True if the owner points at this form, by its container or its button. */
  isChosen: boolean
}

/**
 * Returns what a `submit` event or a click sends, if anything: the form, and the containers it concerns. A container
 * may contain the form, be it, or be inside it; several in one form are read as one.
 */
export function submissionOf(event: Event, selectors: Selectors): Submission | undefined {
  const place = event.target as Element
  if (!place.closest) return
  const button = event.type === 'click' ? submitControl(place, selectors) : undefined
  if (event.type === 'click' && !button) return
  const form = button ? (button as Control).form || button.closest('form') : (place as HTMLFormElement)
  if (form && !isComplete(form, button)) return
  const scopes = scopesOf(button || place, form, selectors)
  const isChosen = form ? isPointedAt(form, selectors) : !!(selectors.fieldsContainer || selectors.submitButton)
  const sentBy = button || (event as SubmitEvent).submitter
  return scopes.length ? { form, button: sentBy, scopes, isChosen } : undefined
}

/** Returns whether the owner points at this form: by its container, around or inside it, or by its button. */
export function isPointedAt(form: Element, { fieldsContainer, submitButton }: Selectors): boolean {
  const around = findAll(document, fieldsContainer).some(
    (container) => container.contains(form) || form.contains(container),
  )
  const root = form.getRootNode() as ParentNode
  const buttons = findAll(document, submitButton).concat(findAll(root, submitButton)) as Control[]
  return around || buttons.some((button) => form.contains(button) || button.form === form)
}

function submitControl(place: Element, selectors: Selectors): Element | null | undefined {
  const css = selectors.submitButton
  if (!css) return place.closest(SUBMIT)
  return findAll(document, css)
    .concat(findAll(place.getRootNode() as ParentNode, css))
    .filter((button) => button.contains(place))[0]
}

/** Returns the browser's own verdict without the `invalid` events that `checkValidity` sends to the page. */
function isComplete(form: HTMLFormElement, button?: Element | null): boolean {
  if (form.noValidate || (button && (button as Control).formNoValidate)) return true
  // a browser without the selector counts as satisfied
  return !ignoringRefusal(() => form.matches(':invalid'))
}

function scopesOf(place: Element, form: Element | null, selectors: Selectors): ParentNode[] {
  const css = selectors.fieldsContainer
  if (!css) {
    if (form) return [form]
    return selectors.submitButton ? [document] : formlessScopes(place, selectors)
  }
  const all = findAll(document, css)
  const around = all.filter((container) => container.contains(place) && !form?.contains(container)).reverse()
  const inside = form ? all.filter((container) => form.contains(container)) : []
  const scopes = inside.concat(form && around.length ? form : [], around)
  return !scopes.length && selectors.submitButton && all.length === 1 ? all : scopes
}

/** A button without a form sends the fields nearest to it, not everything on the page. */
function formlessScopes(button: Element, selectors: Selectors): ParentNode[] {
  const fields = fieldsFor('email', selectors, document).concat(fieldsFor('phone', selectors, document))
  for (const field of fields) {
    let around = field.form ? null : field.parentElement
    while (around && !around.querySelector(SUBMIT)) around = around.parentElement
    if (around?.contains(button)) return [around, document]
  }
  return []
}
