import { wrongFields } from '#contract/fields.ts'
import { MASKED, NewOutgoingWebhook } from '#contract/outgoing-webhooks.ts'
import { basicWords } from '../../words/basic.ts'
import { outgoingWebhookWords } from '../../words/outgoing-webhooks.ts'

/** A header as entered. A saved header left empty keeps its value, which is never shown. */
export type HeaderRow = { name: string; value: string }

export const MOST_HEADERS = 10
export const NO_HEADER: HeaderRow = { name: '', value: '' }

/** Returns a row per saved header, or one blank row if there are none. */
export const headerRows = (known: readonly string[]): HeaderRow[] =>
  known.length > 0 ? known.map((name) => ({ name, value: '' })) : [NO_HEADER]

/** Returns the headers in the contract's form. */
export const toHeaders = (rows: readonly HeaderRow[], known: readonly string[]) =>
  Object.fromEntries(
    rows.filter(isUsed).map(({ name, value }) => [name.trim(), isKept({ name, value }, known) ? MASKED : value]),
  )

/** Returns messages by path. */
export function headerMistakes(rows: readonly HeaderRow[], known: readonly string[]) {
  const names = rows.map(({ name }) => name.trim().toLowerCase())
  const mistakes = rows.flatMap((row, at) => {
    if (!isUsed(row)) return []
    const again = names[at] !== '' && names.indexOf(names[at] as string) < at
    return [
      [`headers.${at}.name`, again ? outgoingWebhookWords.headerTwice : wrongName(row.name)],
      [`headers.${at}.value`, isKept(row, known) ? undefined : wrongValue(row.value)],
    ]
  })
  return Object.fromEntries(mistakes) as Record<string, string | undefined>
}

/** Moves the server's messages, which name the refused header, to the header's row. */
export const placeMessages = (fields: Record<string, string>, rows: readonly HeaderRow[]) =>
  Object.fromEntries(
    Object.entries(fields).map(([path, message]) => {
      const at = rows.findIndex(({ name }) => path === `headers.${name.trim()}`)
      return [at < 0 ? path : `headers.${at}.name`, message]
    }),
  )

const isUsed = ({ name, value }: HeaderRow) => name.trim() !== '' || value !== ''
const isKept = ({ name, value }: HeaderRow, known: readonly string[]) => value === '' && known.includes(name.trim())

const wrongName = (name: string) =>
  name.trim() ? wrongIn({ [name]: '' }) : basicWords.rules.required({ label: outgoingWebhookWords.headerName })
const wrongValue = (value: string) =>
  value ? wrongIn({ x: value }) : basicWords.rules.required({ label: outgoingWebhookWords.headerValue })

function wrongIn(headers: Record<string, string>) {
  const { error } = NewOutgoingWebhook.shape.headers.safeParse(headers)
  return error && Object.values(wrongFields(error))[0]
}
