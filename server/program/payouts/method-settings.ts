import { type FileBooking, type OrderedMethod, orderedMethods, type PayoutMethods } from '#contract/payout-settings.ts'
import { userAuthor } from '../../platform/author.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { openIfOurs, type Secrets } from '../../platform/database/secrets.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { notFound, refusal, wrongField } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import type { Actor } from '../access/actor.ts'
import { isFresh } from '../access/actor.ts'
import { methodsOn, offeredKinds } from './chosen-method.ts'
import { findConnection } from './connections.ts'
import { maskedNumber } from './deposit-details.ts'
import { type MethodSecret, methodSecretPlace, methodSecrets, toHint } from './method-secrets.ts'
import type { FilePayer, Method } from './methods/method.ts'
import { byHandMethod, connecting, kindsPaid, methods } from './methods/registry.ts'
import { getPayoutTerms, lockPayoutAccount, orderWith, type PayoutTerms } from './payout-terms.ts'
import { resetCheckBackoff } from './status-checks.ts'

/** Returns the payout methods: those that are on in the owner's order, then the others, then by hand. */
export async function presentMethods(db: Queryable, keys: Secrets, account: AccountFacts): Promise<PayoutMethods> {
  const terms = await getPayoutTerms(db, account)
  const secrets = await methodSecrets(db, account.id)
  const booking = await bookingOf(db, keys, account)
  const { tokenHint } = await findConnection(db, account.id)
  const hintOf = ({ name }: Method) =>
    name === connecting.name ? tokenHint && maskedNumber(tokenHint) : hintIn(secrets, name)
  const on = methodsOn(terms)
  const off = methods.filter((method) => isOrdered(method.name) && !on.includes(method))
  const shown = [...on, ...off, byHandMethod].map((method) => ({
    ...presentMethod(terms, method, hintOf(method)),
    booking: method.name === 'sepa' ? booking : null,
  }))
  return { methods: shown, kinds: offeredKinds(terms) }
}

const isOrdered = (name: string) => (orderedMethods as readonly string[]).includes(name)

const hintIn = (secrets: MethodSecret[], name: string) => {
  const hint = secrets.find(({ method }) => method === name)?.hint
  return hint ? maskedNumber(hint) : null
}

/** Returns how SEPA files are booked; null while they are off. */
async function bookingOf(db: Queryable, secrets: Secrets, account: AccountFacts): Promise<FileBooking | null> {
  const debtor = await openMethod<FilePayer>(db, secrets, account.id, 'sepa')
  return debtor ? (debtor.booking ?? 'single') : null
}

function presentMethod({ ways }: PayoutTerms, method: Method, hint: string | null) {
  const way = ways.find((one) => one.method === method)
  const isByHand = method === byHandMethod
  return {
    name: method.name as OrderedMethod | 'manual',
    on: way !== undefined || isByHand,
    ready: isByHand || (way !== undefined && way.trouble === null),
    automatic: way?.automatic ?? false,
    pays: kindsPaid(method),
    hint,
    trouble: way?.trouble ?? null,
  }
}

/** Puts the payout methods in order. Refuses: `order_incomplete` unless it names each that is on once. */
export async function orderMethods(
  tx: Transaction,
  secrets: Secrets,
  actor: Actor,
  account: AccountFacts,
  order: OrderedMethod[],
): Promise<PayoutMethods> {
  const { methods: before } = await lockPayoutAccount(tx, account.id)
  if ([...order].sort().join() !== [...before].sort().join()) throw wrongField('order', 'order_incomplete')
  if (order.join() !== before.join()) {
    await saveOrder(tx, account.id, order)
    await recordActivity(tx, userAuthor(actor), account.id, 'payout-method.reordered', {
      id: account.id,
      changes: { order: { old: before, new: order } },
    })
  }
  return presentMethods(tx, secrets, account)
}

const saveOrder = (tx: Transaction, accountId: string, order: string[]) => tx.run`
  update payout_accounts set methods = ${order}::text[], updated_at = ${tx.now} where account_id = ${accountId}`

/** `paidFrom`: the provider account of the credentials, so that an attempt never continues at another one. */
type Kept = { settings: object; hint: string; automatic?: boolean; paidFrom?: string }

/**
 * Keeps what a payout method needs, sealed; one just set up comes last.
 * Refuses: `recent_sign_in_required` without a password proved within ten minutes.
 */
export async function saveMethod(
  tx: Transaction,
  secrets: Secrets,
  actor: Actor,
  account: AccountFacts,
  { name, kept }: { name: OrderedMethod; kept: Kept },
): Promise<PayoutMethods> {
  if (!isFresh(actor, tx.now)) throw refusal('changing_payout_methods')
  const { methods: before } = await lockPayoutAccount(tx, account.id)
  const { settings, hint, automatic = false, paidFrom = null } = kept
  const sealed = secrets.seal(JSON.stringify(settings), methodSecretPlace(name, account.id))
  await tx.run`
    insert into method_secrets (account_id, method, settings_sealed, hint, automatic, paid_from, updated_at)
    values (${account.id}, ${name}, ${sealed}, ${hint}, ${automatic}, ${paidFrom}, ${tx.now})
    on conflict (account_id, method) do update set settings_sealed = excluded.settings_sealed, hint = excluded.hint,
      automatic = excluded.automatic, paid_from = excluded.paid_from, trouble = null, trouble_kind = null, updated_at = excluded.updated_at`
  await saveOrder(tx, account.id, orderWith(before, name, true))
  // other credentials may see what the former did not
  await resetCheckBackoff(tx, account.id, name)
  await recordActivity(tx, userAuthor(actor), account.id, 'payout-method.connected', {
    id: account.id,
    changes: { [name]: { old: null, new: maskedNumber(hint) }, automatic: { old: null, new: automatic } },
  })
  return presentMethods(tx, secrets, account)
}

/** Forgets what a payout method needs. Payouts approved for it stay its own. Refuses like `saveMethod`. */
export async function removeMethod(tx: Transaction, actor: Actor, account: AccountFacts, name: OrderedMethod) {
  if (!isFresh(actor, tx.now)) throw refusal('changing_payout_methods')
  const { methods: before } = await lockPayoutAccount(tx, account.id)
  const removed = await tx.maybe<{ hint: string }>`
    delete from method_secrets where account_id = ${account.id} and method = ${name} returning hint`
  if (!removed) throw notFound()
  await saveOrder(tx, account.id, orderWith(before, name, false))
  await recordActivity(tx, userAuthor(actor), account.id, 'payout-method.removed', {
    id: account.id,
    changes: { [name]: { old: maskedNumber(removed.hint), new: null } },
  })
}

/** Returns the account's currency, which does not change until the transaction ends. */
export async function holdCurrency(tx: Transaction, accountId: string): Promise<string> {
  const { currency } = await tx.one<{ currency: string }>`
    select default_currency as currency from accounts where id = ${accountId} for share`
  return currency
}

/** Returns what a payout method needs; undefined while it is off, or if this install's key does not open it. */
export async function openMethod<T>(
  db: Queryable,
  secrets: Secrets,
  accountId: string,
  name: OrderedMethod,
): Promise<T | undefined> {
  const row = await db.maybe<{ sealed: Buffer }>`
    select settings_sealed as sealed from method_secrets where account_id = ${accountId} and method = ${name}`
  const settings = row && openIfOurs(secrets, row.sealed, methodSecretPlace(name, accountId))
  return settings == null ? undefined : (JSON.parse(settings) as T)
}

/** Sets SEPA files up. Refuses: `method_needs_euro` in an account of another currency; and like `saveMethod`. */
export async function saveSepa(
  tx: Transaction,
  secrets: Secrets,
  actor: Actor,
  account: AccountFacts,
  debtor: FilePayer,
): Promise<PayoutMethods> {
  if ((await holdCurrency(tx, account.id)) !== 'eur') throw refusal('method_needs_euro')
  return saveMethod(tx, secrets, actor, account, {
    name: 'sepa',
    kept: { settings: debtor, hint: toHint(debtor.iban) },
  })
}

/** Refuses a choice for a partner that is not on. */
export async function refuseUnlessOn(db: Queryable, account: AccountFacts, name: string | null | undefined) {
  if (name === null || name === undefined || name === byHandMethod.name) return
  if (!methodsOn(await getPayoutTerms(db, account)).some((method) => method.name === name))
    throw wrongField('payoutMethod', 'method_not_on')
}
