import { FORMS_MODES, type ServedConfiguration } from '../../embed/configuration.ts'

/** Returns the account's configuration in its script as served. */
export function configurationIn(script: string) {
  const served: ServedConfiguration = JSON.parse(/=(\[.*\])$/m.exec(script)![1]!)
  const [, , , formsMode, , endpoint, names, plain, cookieDays, firstTouch, , , domains, checkoutDomains] = served
  return { forms: FORMS_MODES[formsMode], endpoint, names, plain, cookieDays, firstTouch, domains, checkoutDomains }
}
