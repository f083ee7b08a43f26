import pg from 'pg'
import { eachHost } from '../config/database-address.ts'

/**
 * Whether traffic to the database can be read on the way: it is on another machine, and TLS was not requested.
 * `sslmode=disable` declares that this is intended, as in a private network.
 */
export const isInTheClear = (address: string): boolean =>
  eachHost(address).some((one) => {
    if (/[?&]sslmode=disable(&|$)/.test(one)) return false
    const { host, ssl } = new pg.Client({ connectionString: one })
    return !ssl && !isHere(host)
  })

const isHere = (host: string) => /^(\/|localhost$|127\.\d+\.\d+\.\d+$|\[?::1\]?$)/.test(host)

type Failure = { code?: string; message?: string; syscall?: string }

/**
 * Returns, in words, the correct address after a failure of TLS; null for any other failure. Retrying does not help
 * with these.
 */
export function shapeForTls(error: unknown): string | null {
  const { code = '', message = '', syscall } = error as Failure
  if (syscall === 'open')
    return `the name of a file that can be read as sslrootcert, sslcert or sslkey, not: ${message}`
  if (/does not support SSL/.test(message))
    return `the address of a PostgreSQL that speaks TLS, or one without sslmode, not: ${message}`
  if (!/^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO)/.test(code))
    return null
  return `the address of a PostgreSQL whose certificate is valid for its host and signed by a known authority (sslmode=verify-full&sslrootcert=FILE names one), not: ${message}`
}
