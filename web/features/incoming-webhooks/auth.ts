import {
  IncomingAuth,
  type IncomingWebhook,
  isSigned,
  type layouts,
  type secretPlaces,
  type signingKeys,
} from '#contract/incoming-webhooks.ts'
import { mistakesIn } from '../../ui/form-body.ts'
import { basicWords } from '../../words/basic.ts'
import { fieldWords, labelWords } from '../../words/fields.ts'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'

export const authTypes = ['url-secret', 'header-hmac', 'shared-secret', 'basic'] as const
export const encodings = ['hex', 'base64'] as const

/**
 * The form's values for a sender's authentication: the fields of every kind, of which only the chosen kind's are sent.
 */
export type AuthValues = {
  type: (typeof authTypes)[number]
  header: string
  encoding: (typeof encodings)[number]
  prefix: string
  /** A template of the signed text. */
  signed: string
  layout: (typeof layouts)[number]
  /** Empty if the timestamp is sent in the signature header. */
  timestampHeader: string
  idHeader: string
  key: (typeof signingKeys)[number]
  secret: string
  /** The place of a shared secret, and its name there. */
  in: (typeof secretPlaces)[number]
  name: string
  username: string
  password: string
}

export const NO_AUTH: AuthValues = {
  type: 'url-secret',
  header: '',
  encoding: 'hex',
  prefix: '',
  signed: '{body}',
  layout: 'single',
  timestampHeader: '',
  idHeader: '',
  key: 'text',
  secret: '',
  in: 'header',
  name: '',
  username: '',
  password: '',
}

export const toAuthValues = (auth: IncomingWebhook['auth']): AuthValues => ({
  ...NO_AUTH,
  ...auth,
  prefix: ('prefix' in auth && auth.prefix) || '',
  timestampHeader: (auth.type === 'header-hmac' && auth.timestampHeader) || '',
  idHeader: (auth.type === 'header-hmac' && auth.idHeader) || '',
})

/** Returns the values of the chosen kind as the contract's shape. */
export function toAuth(values: AuthValues): IncomingAuth {
  const { type, header, encoding, prefix, signed, layout, key, secret, username, password } = values
  if (type === 'url-secret') return { type }
  if (type === 'basic') return { type, username, ...(password && { password }) }
  if (type === 'shared-secret') {
    const { in: place, name } = values
    return { type, in: place, name, prefix: prefix || null, ...(secret && { secret }) }
  }
  const timestampHeader = (isSigned(signed, 'timestamp') && values.timestampHeader.trim()) || null
  const idHeader = (isSigned(signed, 'id') && values.idHeader.trim()) || null
  const parts = { header, prefix: prefix || null, signed, layout, timestampHeader, idHeader }
  const how = { ...parts, algorithm: 'sha256', encoding, key } as const
  return { type, ...how, ...(secret && { secret }) }
}

/** Returns messages by path. A secret of the `known` kind may be left empty: the saved one is kept. */
export function authMistakes(values: AuthValues, known?: AuthValues['type']): Record<string, string | undefined> {
  const label = {
    header: incomingWebhookWords.header,
    signed: labelWords.signed,
    name: incomingWebhookWords.secretNames[values.in],
    username: labelWords.username,
  }
  const required = (path: string) =>
    path in label ? basicWords.rules.required({ label: label[path as keyof typeof label] }) : undefined
  const wrong = Object.entries(mistakesIn(IncomingAuth, toAuth(values), required))
  return {
    ...secretMissing(values, known),
    ...Object.fromEntries(wrong.map(([path, message]) => [`auth.${path}`, message])),
  }
}

function secretMissing({ type, secret, password }: AuthValues, known?: AuthValues['type']) {
  if ((type === 'header-hmac' || type === 'shared-secret') && !secret && known !== type)
    return { 'auth.secret': basicWords.rules.required({ label: incomingWebhookWords.secret }) }
  if (type === 'basic' && !password && known !== type)
    return { 'auth.password': basicWords.rules.required({ label: fieldWords.password }) }
  return {}
}
