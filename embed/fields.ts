import type { FieldKey, Selectors } from './configuration.ts'
import { acceptable, type Description, type GuessedKey, isPrivate, likeness, plain } from './guesses.ts'
import { ignoringRefusal } from './reference.ts'

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/**
 * Returns all elements that `css` finds below `root`; `>>>` steps into the open shadow root of the element before it,
 * or into a frame of the same origin.
 */
export function findAll(root: ParentNode, css: string): Element[] {
  return (
    ignoringRefusal(() => {
      let found: Element[] = []
      css.split('>>>').forEach((part, depth) => {
        const roots = depth
          ? found.map((host) => host.shadowRoot || (host as HTMLIFrameElement).contentDocument)
          : [root]
        found = []
        for (const each of roots) if (each) found = found.concat(Array.from(each.querySelectorAll(part)))
      })
      return found
    }) || []
  )
}

const INPUTS = 'input,select,textarea'
const isField = (element: Element): element is Field => element.matches(INPUTS)

function describe(field: Field): Description {
  const attribute = (name: string) => field.getAttribute(name) || ''
  const labels = field.labels ? Array.from(field.labels).map((label) => (label.textContent || '').slice(0, 80)) : []
  return {
    type: field.type,
    autocomplete: attribute('autocomplete').toLowerCase(),
    texts: [attribute('name'), field.id, attribute('placeholder'), attribute('aria-label')].concat(labels),
  }
}

/**
 * Returns the fields below `scope` that may hold `key`, likeliest first. Fields of a form other than the submitted one
 * are left out.
 */
export function fieldsFor(key: GuessedKey, selectors: Selectors, scope: ParentNode, form?: Element | null): Field[] {
  const css = key !== 'fullName' && selectors[key]
  let fields: Field[] = []
  if (css)
    for (const element of findAll(scope, css))
      fields = fields.concat(isField(element) ? element : (Array.from(element.querySelectorAll(INPUTS)) as Field[]))
  else {
    const inputs = Array.from(scope.querySelectorAll('input'))
    const all = inputs.map(describe)
    const ending = (word: string) =>
      all.filter(({ texts }) => texts.some((text) => plain(text).split(' ').pop() === word))[0]
    // 'First' and 'Last' mean a name only together
    const first = ending('first')
    const last = first && ending('last')
    const twin = last && { firstName: first, lastName: last }[key as 'firstName']
    fields = inputs
      .map((field, at) => ({ field, at, likeness: twin ? +(all[at] === twin) : likeness(key, all[at]!) }))
      .filter((guess) => guess.likeness)
      .sort((a, b) => b.likeness - a.likeness || a.at - b.at)
      .map((guess) => guess.field)
  }
  return fields.filter((field) => (!form || !field.form || field.form === form) && !isPrivate(describe(field)))
}

export type Person = { [K in FieldKey]?: string }

/** Reads the visitor's input at this moment; a field the browser finds invalid counts as empty. */
export function readPerson(selectors: Selectors, scopes: readonly ParentNode[], form: Element | null): Person {
  const entered = (key: GuessedKey): string => {
    for (const scope of scopes)
      for (const field of fieldsFor(key, selectors, scope, form)) {
        const value =
          field.disabled || ignoringRefusal(() => field.matches(':invalid')) ? '' : acceptable(key, field.value)
        if (value) return value
      }
    return ''
  }
  let firstName = entered('firstName')
  let lastName = entered('lastName')
  const guessed = !selectors.firstName && !selectors.lastName
  if (guessed && !firstName && !lastName) {
    const [first = '', ...rest] = entered('fullName').split(/\s+/)
    firstName = first
    lastName = rest.join(' ')
  }
  return {
    firstName: firstName.slice(0, 100) || undefined,
    lastName: lastName.slice(0, 100) || undefined,
    email: entered('email') || undefined,
    phone: entered('phone') || undefined,
  }
}
