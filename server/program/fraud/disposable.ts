import { lazyValue } from '../../platform/lazy-value.ts'

/** Loads the list of hosts only for accounts with the rule. */
const hosts = lazyValue(async () => (await import('disposable-email-domains-js')).disposableEmailBlocklistSet())

/** Returns whether an e-mail is at a host of short-lived addresses, or at a host below one. */
export async function isDisposable(email: string): Promise<boolean> {
  const known = await hosts()
  const labels = email
    .slice(email.lastIndexOf('@') + 1)
    .toLowerCase()
    .split('.')
  return labels.some((_, index) => index < labels.length - 1 && known.has(labels.slice(index).join('.')))
}
