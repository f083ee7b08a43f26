import { selectors } from './account.ts'
import type { FieldKey } from './configuration.ts'
import { type Description, hasWord, isPrivate, isValueFor, scoreField, toLines, toText } from './guesses.ts'
import { ignoringRefusal } from './refusal.ts'
import { FIELDS, FIRST_NAME, LAST_NAME } from './words.ts'

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/**
 * Returns all elements that `css` finds on the page, or below `root`; `>>>` steps into the open shadow root of the element before it,
 * or into a frame of the same origin.
 */
export const findAll = (css: string, root: ParentNode = document): Element[] =>
  ignoringRefusal(() =>
    css.split('>>>').reduce(
      (hosts, part, depth) =>
        hosts.flatMap((host) => {
          const inside = depth ? host.shadowRoot || (host as HTMLIFrameElement).contentDocument : host
          return inside ? [...inside.querySelectorAll(part)] : []
        }),
      [root as Element],
    ),
  ) || []

export const INPUTS = 'input,select,textarea'

export const describe = (field: Field): Description => [
  toLines(field, 'autocomplete', [field.type]),
  toLines(field, 'name id placeholder aria-label', [...(field.labels || [])].map(toText)),
]

/**
 * Returns the fields below `scope` that may hold `key`, likeliest first. Fields of a form other than the submitted one
 * are left out.
 */
export function fieldsFor(key: number, scope: ParentNode, form?: Element | null): Field[] {
  const css = selectors[key]
  const fields = (
    findAll(css || 'input', scope).flatMap((one) => (one.matches(INPUTS) ? [one] : findAll(INPUTS, one))) as Field[]
  ).filter((field) => (!form || !field.form || field.form === form) && !isPrivate(describe(field)))
  if (css) return fields
  const all = fields.map(describe)
  const alike = (level: number) => fields.filter((_, at) => scoreField(key, all[at]!) === level)
  // 'First' and 'Last' mean a name only together
  const twins = ['first$', 'last$'].map((word) => fields.find((_, at) => hasWord(all[at]![1], word)))
  const twin = twins[0] && twins[1] && twins[key - FIRST_NAME]
  return twin ? [twin] : alike(2).concat(alike(1))
}

export type Person = { [K in FieldKey]?: string }

/** Reads the visitor's input at this moment; a field the browser finds invalid counts as empty. */
export function readPerson(scopes: readonly ParentNode[], form: Element | null): Person {
  let [email, phone, whole, firstName, lastName] = FIELDS.map(
    (_, key) =>
      scopes
        .flatMap((scope) => fieldsFor(key, scope, form))
        .map((field) => !field.matches(':disabled,:invalid') && field.value.trim())
        .find((value) => value && isValueFor(key, value)) || '',
  )
  if (!(selectors[FIRST_NAME]! + selectors[LAST_NAME] + firstName + lastName))
    [, firstName, lastName] = /(\S*)\s*(.*)/.exec(whole!)!
  return { firstName, lastName, email, phone }
}
