import { selectors } from './account.ts'
import type { FieldKey } from './configuration.ts'
import { acceptValue, type Description, hasWord, isPrivate, scoreField, toLines, toText } from './guesses.ts'
import { ignoringRefusal } from './refusal.ts'
import type { GuessedKey } from './words.ts'

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/**
 * Returns all elements that `css` finds below `root`; `>>>` steps into the open shadow root of the element before it,
 * or into a frame of the same origin.
 */
export const findAll = (root: ParentNode, css: string): Element[] =>
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
  toLines(field, ['autocomplete'], [field.type]),
  toLines(field, ['name', 'id', 'placeholder', 'aria-label'], [...(field.labels || [])].map(toText)),
]

/**
 * Returns the fields below `scope` that may hold `key`, likeliest first. Fields of a form other than the submitted one
 * are left out.
 */
export function fieldsFor(key: GuessedKey, scope: ParentNode, form?: Element | null): Field[] {
  const css = selectors[key as FieldKey]
  const fields = (
    findAll(scope, css || 'input').flatMap((one) => (one.matches(INPUTS) ? [one] : findAll(one, INPUTS))) as Field[]
  ).filter((field) => (!form || !field.form || field.form === form) && !isPrivate(describe(field)))
  if (css) return fields
  const all = fields.map(describe)
  const alike = (level: number) => fields.filter((_, at) => scoreField(key, all[at]!) === level)
  const ending = (word: string) => fields.find((_, at) => hasWord(all[at]![1], `${word}$`))
  // 'First' and 'Last' mean a name only together
  const twins = { firstName: ending('first'), lastName: ending('last') }
  const twin = twins.firstName && twins.lastName && twins[key as 'firstName']
  return twin ? [twin] : alike(2).concat(alike(1))
}

export type Person = { [K in FieldKey]?: string }

/** Reads the visitor's input at this moment; a field the browser finds invalid counts as empty. */
export function readPerson(scopes: readonly ParentNode[], form: Element | null): Person {
  const entered = (key: GuessedKey): string =>
    scopes
      .flatMap((scope) => fieldsFor(key, scope, form))
      .map((field) => !field.matches(':disabled,:invalid') && acceptValue(key, field.value))
      .find((value) => value) || ''
  let firstName = entered('firstName')
  let lastName = entered('lastName')
  if (!selectors.firstName && !selectors.lastName && !firstName && !lastName)
    [, firstName, lastName] = /(\S*)\s*(.*)/.exec(entered('fullName')) as unknown as [string, string, string]
  return { firstName, lastName, email: entered('email'), phone: entered('phone') }
}
