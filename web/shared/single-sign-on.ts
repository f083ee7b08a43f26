import { startOidc } from '#contract/auth.ts'
import { callApi } from '../api.ts'

const KEY = 'tributary.single-sign-on'

/** A sign-in that this tab began: the secret that binds the answer to it, and what follows. */
type Begun = {
  secret: string
  /** The address to return to. */
  to: string
  /** The token of an invitation to accept. */
  accept?: string
}

/** Whether this browser can bind an answer to itself: on https and localhost only. */
export const canBind = () => crypto.subtle !== undefined

const text = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Leaves for the issuer, which returns to /auth/oidc; with `confirm` for a fresh proof of the signed-in user. */
export async function redirectToIssuer({ confirm, ...rest }: Omit<Begun, 'secret'> & { confirm?: true }) {
  const secret = text(crypto.getRandomValues(new Uint8Array(32)))
  const binding = text(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))))
  const { url } = await callApi(startOidc, { body: { binding, ...(confirm && { confirm }) } })
  sessionStorage.setItem(KEY, JSON.stringify({ secret, ...rest } satisfies Begun))
  location.assign(url)
}

/** Returns the sign-in that this tab started, and removes it. */
export function consumeBegun(): Begun | null {
  try {
    const begun = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    sessionStorage.removeItem(KEY)
    return begun
  } catch {
    return null
  }
}
