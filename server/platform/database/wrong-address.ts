import { type ConfigError, configError } from '../config/config.ts'
import { shapeForTls } from './transport.ts'

/** PostgreSQL's codes for an unknown user, password or database. */
const WRONG_ADDRESS = new Set(['28000', '28P01', '3D000'])
/** Poolers' messages, which have one code for all refusals. */
const WRONG_IN_WORDS =
  /^no such (user|database)|authentication failed|statement pooling|^database "[^"]*" does not exist/

/** Whether waiting cannot resolve an error. */
export const isWrongAddress = ({ code = '', message }: { code?: string; message: string }) =>
  WRONG_ADDRESS.has(code) || (code === '08P01' && WRONG_IN_WORDS.test(message))

/** Returns the refusal of an address if waiting cannot resolve an error: of TLS, a name or a password. */
export function refusalOfAddress(variable: string, url: string, error: Error): ConfigError | null {
  if (!shapeForTls(error) && !isWrongAddress(error)) return null
  return notReached(variable, url, error)
}

/** Returns the refusal of an address whose database cannot be reached. */
export const notReached = (variable: string, url: string, error: Error & { code?: string }) =>
  configError(
    variable,
    `${url.length} characters`,
    shapeForTls(error) ?? `the address of a PostgreSQL that answers, not: ${error.message || error.code}`,
  )
