import type { OrderedMethod, PayoutMethods, PayPalApp } from '#contract/payout-settings.ts'
import { userAuthor } from '../../platform/author.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import type { Actor } from '../access/actor.ts'
import { isFresh } from '../access/actor.ts'
import { settleEarlierPaydays } from '../access/each-night.ts'
import { type Asking, apiWith } from './connections.ts'
import { methodSecrets } from './method-secrets.ts'
import { holdCurrency, presentMethods, saveMethod } from './method-settings.ts'
import { ProviderError } from './methods/method.ts'
import { type ApiMethod, getPayoutMethod, paysFrom } from './methods/registry.ts'
import { getPayoutTerms, lockPayoutAccount, runTaskName } from './payout-terms.ts'

/**
 * Connects a provider by an app's credentials, which it is asked about first, or changes whether it pays automatically.
 * Refuses: `recent_sign_in_required` without a password proved within ten minutes; `validation_failed` for credentials
 * that the provider rejects; `invalid_state` in an account whose currency it does not pay; `provider_failed` while it
 * does not respond.
 */
export async function connectApp(
  services: Services,
  actor: Actor,
  account: AccountFacts,
  name: OrderedMethod,
  { automatic, ...credentials }: PayPalApp,
): Promise<PayoutMethods> {
  const { db } = services
  const method = getPayoutMethod(name) as ApiMethod
  if (!isFresh(actor, db.now)) throw refusal('changing_payout_methods')
  const { clientId, clientSecret } = credentials
  if (!clientId || !clientSecret) return changeAutomatic(services, actor, account, name, automatic)
  const kept = { clientId, clientSecret }
  const paidFrom = await readPayingProfile(services, method, JSON.stringify(kept))
  return transaction(db, async (tx) => {
    if (automatic) await settleUnlessRunning(tx, account, name)
    if (!paysFrom(method, await holdCurrency(tx, account.id)))
      throw refusal('method_lacks_currency', { provider: method.label })
    return saveMethod(tx, services.secrets, actor, account, {
      name,
      kept: { settings: kept, hint: clientId.slice(-4), automatic, paidFrom },
    })
  })
}

/** Asks the provider for the account that these credentials pay from. */
async function readPayingProfile(
  services: Pick<Asking, 'db' | 'config' | 'outbound' | 'log'>,
  { name, label, provider }: ApiMethod,
  token: string,
): Promise<string> {
  try {
    const [profile] = await provider.profiles(apiWith(services, name, token))
    return profile!.id
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.kind === 'unknown') throw refusal('provider_away', { provider: label })
    throw wrongField('clientSecret', 'credentials_refused', { provider: label, said: error.message })
  }
}

async function changeAutomatic(
  { db, secrets }: Services,
  actor: Actor,
  account: AccountFacts,
  name: OrderedMethod,
  automatic: boolean,
): Promise<PayoutMethods> {
  return transaction(db, async (tx) => {
    if (automatic) await settleUnlessRunning(tx, account, name)
    await lockPayoutAccount(tx, account.id)
    const before = (await methodSecrets(tx, account.id)).find(({ method }) => method === name)
    if (!before) throw wrongField('clientId', 'credentials_missing')
    if (before.automatic !== automatic) {
      await tx.run`
        update method_secrets set automatic = ${automatic}, updated_at = ${tx.now}
        where account_id = ${account.id} and method = ${name}`
      await recordActivity(tx, userAuthor(actor), account.id, 'payout-method.connected', {
        id: account.id,
        changes: { automatic: { old: before.automatic, new: automatic } },
      })
    }
    return presentMethods(tx, secrets, account)
  })
}

/** Paydays before a method pays automatically are not made up for. Before the payout account's lock, like a run. */
async function settleUnlessRunning(tx: Transaction, account: AccountFacts, name: string) {
  const { ways } = await getPayoutTerms(tx, account)
  const isRunning = ways.some(({ method, automatic }) => method.name === name && automatic)
  if (!isRunning) await settleEarlierPaydays(tx, account, runTaskName(name))
}
