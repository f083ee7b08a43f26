import { selectors } from './account.ts'
import type { FieldKey } from './configuration.ts'
import { acceptable, type Description, type GuessedKey, isPrivate, likeness, plain } from './guesses.ts'
import { ignoringRefusal } from './refusal.ts'

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const joined = <T>(lists: T[][]): T[] => ([] as T[]).concat(...lists)

/**
 * Returns all elements that `css` finds below `root`; `>>>` steps into the open shadow root of the element before it,
 * or into a frame of the same origin.
 */
export function findAll(root: ParentNode, css: string): Element[] {
  const within = (one: ParentNode, part: string) => Array.from(one.querySelectorAll(part))
  return (
    ignoringRefusal(() => {
      const [first, ...deeper] = css.split('>>>')
      return deeper.reduce(
        (hosts, part) => {
          const roots = hosts.map((host) => host.shadowRoot || (host as HTMLIFrameElement).contentDocument)
          return joined(roots.map((inside) => (inside ? within(inside, part) : [])))
        },
        within(root, first!),
      )
    }) || []
  )
}

export const INPUTS = 'input,select,textarea'

export function describe(field: Field): Description {
  const said = ['name', 'id', 'placeholder', 'aria-label'].map((name) => field.getAttribute(name))
  const labels = Array.from(field.labels || []).map((label) => label.textContent!.slice(0, 80))
  return {
    given: `${field.type}\n${plain(field.getAttribute('autocomplete'))}`,
    texts: said.concat(labels).map(plain).join('\n'),
  }
}

/**
 * Returns the fields below `scope` that may hold `key`, likeliest first. Fields of a form other than the submitted one
 * are left out.
 */
export function fieldsFor(key: GuessedKey, scope: ParentNode, form?: Element | null): Field[] {
  const css = selectors[key as FieldKey]
  let fields: Field[]
  if (css)
    fields = joined(findAll(scope, css).map((one) => (one.matches(INPUTS) ? [one] : findAll(one, INPUTS)))) as Field[]
  else {
    const inputs = findAll(scope, 'input') as Field[]
    const all = inputs.map(describe)
    const alike = (level: number) => inputs.filter((_, at) => likeness(key, all[at]!) === level)
    const ending = (word: string) => inputs.filter((_, at) => new RegExp(`(^| )${word}$`, 'm').test(all[at]!.texts))[0]
    // 'First' and 'Last' mean a name only together
    const [first, last] = [ending('first'), ending('last')]
    const twin = first && last && { firstName: first, lastName: last }[key as 'firstName']
    fields = twin ? [twin] : alike(2).concat(alike(1))
  }
  return fields.filter((field) => (!form || !field.form || field.form === form) && !isPrivate(describe(field)))
}

export type Person = { [K in FieldKey]?: string }

/** Reads the visitor's input at this moment; a field the browser finds invalid counts as empty. */
export function readPerson(scopes: readonly ParentNode[], form: Element | null): Person {
  const entered = (key: GuessedKey): string => {
    for (const scope of scopes)
      for (const field of fieldsFor(key, scope, form)) {
        const isOpen = !field.disabled && !ignoringRefusal(() => field.matches(':invalid'))
        const value = isOpen && acceptable(key, field.value)
        if (value) return value
      }
    return ''
  }
  let firstName = entered('firstName')
  let lastName = entered('lastName')
  if (!selectors.firstName && !selectors.lastName && !firstName && !lastName)
    [, firstName, lastName] = /(\S*)\s*(.*)/.exec(entered('fullName')) as unknown as [string, string, string]
  return {
    firstName: firstName.slice(0, 100),
    lastName: lastName.slice(0, 100),
    email: entered('email'),
    phone: entered('phone'),
  }
}
