import type { PayoutField } from '#contract/payout-form.ts'

/** Values as a form keeps them: the dots of a name make groups. */
export type LocalFields = { [name: string]: string | LocalFields }

/** Returns a copy with one value changed. */
export function withField(fields: LocalFields, key: string, value: string): LocalFields {
  const [name = '', ...rest] = key.split('.')
  const inner = Object.hasOwn(fields, name) ? fields[name] : undefined
  const group = typeof inner === 'object' ? inner : {}
  return { ...fields, [name]: rest.length > 0 ? withField(group, rest.join('.'), value) : value }
}

/** Returns the value of a field; '' if there is none. */
export function fieldAt(fields: LocalFields, key: string): string {
  let at: string | LocalFields | undefined = fields
  for (const name of key.split('.')) at = typeof at === 'object' && Object.hasOwn(at, name) ? at[name] : undefined
  return typeof at === 'string' ? at : ''
}

/** Returns the values to send, by name, without empty ones and those of fields that are no longer required. */
export const enteredFields = (asked: readonly PayoutField[], fields: LocalFields): Record<string, string> =>
  Object.fromEntries(asked.map(({ key }) => [key, fieldAt(fields, key).trim()]).filter(([, value]) => value !== ''))

/** Returns empty values, with the bank's country as the partner's if it can be chosen. */
export const emptyFields = (asked: readonly PayoutField[], country: string): LocalFields =>
  asked.reduce<LocalFields>((made, { key, options }) => {
    const isCountry = /(^|\.)country$/.test(key) && options.some(({ value }) => value === country)
    return withField(made, key, isCountry ? country : '')
  }, {})

/**
 * Returns the values that may change the fields: those of selects and of fields with `refresh`; null without the
 * latter.
 */
export function decidingFields(asked: readonly PayoutField[], fields: LocalFields): Record<string, string> | null {
  const isEntered = asked.some(({ key, refresh }) => refresh && fieldAt(fields, key) !== '')
  return isEntered
    ? enteredFields(
        asked.filter(({ input, refresh }) => refresh || input === 'select'),
        fields,
      )
    : null
}
