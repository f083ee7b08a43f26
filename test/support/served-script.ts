import type { ServedConfiguration } from '../../embed/configuration.ts'

/** Returns the account's configuration in its script as served. */
export function configurationIn(script: string) {
  const served: ServedConfiguration = JSON.parse(/tributaryConfiguration=(\[.*\]);/.exec(script)![1]!)
  const [, , , forms, , endpoint, names, plain, cookieDays, firstTouch, , , domains, checkoutDomains] = served
  return { forms, endpoint, names, plain, cookieDays, firstTouch, domains, checkoutDomains }
}
