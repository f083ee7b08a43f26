import { fieldsContainer, submitButton } from './account.ts'
import { fieldsFor, findAll } from './fields.ts'

type Control = HTMLButtonElement | HTMLInputElement

/** Selects the controls that send a form, or would if there were one. */
export const SUBMIT = 'button:not([type=button]):not([type=reset]),input[type=submit],input[type=image]'

export type Submission = {
  form: HTMLFormElement | null
  button: Element | null | undefined
  /** Places to read the fields from, nearest first. */
  scopes: ParentNode[]
}

/**
 * Returns what a `submit` event or a click sends, if anything: the form, and the containers it concerns. A container
 * may contain the form, be it, or be inside it; several in one form are read as one.
 */
export function submissionOf(event: Event): Submission | undefined {
  const place = event.target as Element
  const isClick = event.type === 'click'
  const button = (isClick ? controlAt(place) : (event as SubmitEvent).submitter) as Control | undefined
  if (isClick && !button) return
  const form = (isClick ? button!.form || button!.closest('form') : place) as HTMLFormElement | null
  // the browser's own verdict, without the `invalid` events that `checkValidity` sends to the page
  if (form && !form.noValidate && !button?.formNoValidate && form.matches(':invalid')) return
  const scopes = scopesOf(button || place, form)
  return scopes[0] && { form, button, scopes }
}

/** Returns the elements that `css` finds on the page, and in the shadow root that an element is in. */
const findNear = (element: Element, css: string) =>
  findAll(document, css).concat(findAll(element.getRootNode() as ParentNode, css))

/** Returns whether the owner points at this form: by its container, around or inside it, or by its button. */
export const isPointedAt = (form: Element): boolean =>
  findAll(document, fieldsContainer).some((container) => container.contains(form) || form.contains(container)) ||
  findNear(form, submitButton).some((button) => form.contains(button) || (button as Control).form === form)

const controlAt = (place: Element) =>
  submitButton ? findNear(place, submitButton).filter((button) => button.contains(place))[0] : place.closest(SUBMIT)

function scopesOf(place: Element, form: Element | null): ParentNode[] {
  if (!fieldsContainer) return form ? [form] : submitButton ? [document] : formlessScopes(place)
  const all = findAll(document, fieldsContainer)
  const inside = all.filter((container) => form?.contains(container))
  const around = all.filter((container) => container.contains(place) && inside.indexOf(container) < 0).reverse()
  const scopes = inside.concat(form && around[0] ? form : [], around)
  return scopes[0] || !submitButton || all[1] ? scopes : all
}

/** A button without a form sends the fields nearest to it, not everything on the page. */
function formlessScopes(button: Element): ParentNode[] {
  for (const field of fieldsFor('email', document).concat(fieldsFor('phone', document))) {
    let around = field.form ? null : field.parentElement
    while (around && !around.querySelector(SUBMIT)) around = around.parentElement
    if (around?.contains(button)) return [around, document]
  }
  return []
}
