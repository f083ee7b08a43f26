import type { DetailKind } from '#contract/detail-kinds.ts'
import type { LocalBankDetails } from '#contract/payout-details.ts'
import { getDetailKind, type PayoutDetails, type PayoutSettings } from '#contract/payout-settings.ts'
import type { PayoutMethod } from '#contract/payouts.ts'
import { diffFields, userAuthor } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Queryable, type Transaction, transaction } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { emitEvent, sendSignal } from '../../platform/events/emit-event.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { notFound, refusal, wrongField } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import type { Actor } from '../access/actor.ts'
import { isFresh } from '../access/actor.ts'
import { judgeDetails } from '../fraud/duplicate-partners.ts'
import { methodFor, offeredKinds } from './chosen-method.ts'
import type { Asking } from './connections.ts'
import { maskedDetails, openDetails, settingsPlace, toShownDetails } from './deposit-details.ts'
import { detailsHash } from './details-hash.ts'
import type { Method, Reader } from './methods/method.ts'
import { nameCheckOfDetails } from './name-checks.ts'
import { checkLocalBank, openPatiently, refuseDetails } from './payout-form.ts'
import { getPayoutTerms } from './payout-terms.ts'
import { payoutDetailsChanged } from './signals.ts'
import { setBackUnpaid } from './undo-approval.ts'

type SettingsRow = { detailsSealed: Buffer | null; kind: DetailKind; hint: string | null; updatedAt: string }

type Shown = {
  detailsSealed: Buffer | null
  kind: DetailKind | null
  country: string | null
  currency: string | null
  updatedAt: string | null
  formOnFile: boolean
  payoutMethod: PayoutMethod | null
}

const readSettings = (db: Queryable, accountId: string, partnerId: string) => db.one<Shown>`
  select d.details_sealed, d.kind, d.country, d.currency, d.updated_at, n.tax_form is not null as form_on_file,
    n.payout_method
  from partners n left join payout_settings d on d.account_id = n.account_id and d.partner_id = n.id
  where n.account_id = ${accountId} and n.id = ${partnerId}`

const lockSettings = (tx: Transaction, accountId: string, partnerId: string) => tx.maybe<SettingsRow>`
  select details_sealed, kind, coalesce(hint, account_last4) as hint, updated_at from payout_settings
  where account_id = ${accountId} and partner_id = ${partnerId} for update`

/** Returns the details with masked numbers, and for an owner the method that pays to them. */
export async function getPayoutSettings(
  db: Queryable,
  secrets: Secrets,
  account: AccountFacts,
  partnerId: string,
  reader: Reader = 'partner',
): Promise<PayoutSettings> {
  const { detailsSealed, kind, country, currency, updatedAt, formOnFile, payoutMethod } = await readSettings(
    db,
    account.id,
    partnerId,
  )
  const none = { method: null, country: null, currency: null, nameCheck: null }
  if (!detailsSealed) return { enabled: false, depositInfo: null, ...none, updatedAt, formOnFile }
  const details = openDetails(secrets, detailsSealed, settingsPlace(partnerId, account.id))
  if (!details) throw refusal('payout_details_unreadable')
  const method = reader === 'owner' ? methodFor(await getPayoutTerms(db, account), kind, payoutMethod).name : null
  const nameCheck = await nameCheckOfDetails(db, account.id, partnerId, reader)
  const depositInfo = maskedDetails(details)
  return { enabled: true, depositInfo, method, country, currency, updatedAt, formOnFile, nameCheck }
}

type OfPartner = { account: AccountFacts; partnerId: string }

/**
 * Saves details after the account's method has checked them. Refuses: `validation_failed` with its words for details it
 * would not pay to. If it does not respond, they are saved anyway, except for a bank account elsewhere, which nothing
 * else can check: `unavailable`.
 */
export async function enterPayoutSettings(
  services: Services,
  actor: Actor,
  { account, partnerId }: OfPartner,
  details: PayoutDetails,
): Promise<PayoutSettings> {
  const { db } = services
  const { updatedAt, payoutMethod } = await readSettings(db, account.id, partnerId)
  if (updatedAt !== null) refuseStale(actor, db.now)
  const terms = await getPayoutTerms(db, account)
  const kind = getDetailKind(details)
  if (!offeredKinds(terms).includes(kind)) throw wrongField('kind', 'kind_not_offered')
  const entered = details.kind === 'local-bank' ? withoutEmpty(details) : details
  if (entered.kind === 'local-bank') await checkLocalBank(services, account, entered)
  else await refuseWrong(services, account, methodFor(terms, kind, payoutMethod), entered)
  return transaction(db, (tx) => savePayoutSettings(tx, services, actor, { account, partnerId }, entered))
}

const withoutEmpty = (details: LocalBankDetails): LocalBankDetails => ({
  ...details,
  fields: Object.fromEntries(Object.entries(details.fields).filter(([, value]) => value !== '')),
})

/** Refuses details that the method finds wrong, by field; none if its provider is not connected or doesn't respond. */
async function refuseWrong(
  services: Asking,
  account: AccountFacts,
  { name, checkDetails }: Method,
  details: PayoutDetails,
) {
  if (!checkDetails) return
  const connection = await openPatiently(services, account.id, name)
  if (!connection?.profileId) return
  const { api, profileId } = connection
  const wrong = await checkDetails(api, profileId, {
    details,
    currency: account.defaultCurrency,
    payee: toShownDetails(details),
  })
  refuseDetails(wrong)
}

function refuseStale(actor: Actor, now: Date) {
  if (!isFresh(actor, now)) throw refusal('replacing_payout_details')
}

/**
 * Saves a partner's payout details. A replacement sets approved payouts that have not left back to due, notifies the
 * partner at their addresses, and blocks automatic payouts for 72 hours. A first entry does none of these.
 * Refuses: `recent_sign_in_required` to replace without a password proved within ten minutes.
 */
export async function savePayoutSettings(
  tx: Transaction,
  services: Services,
  actor: Actor,
  { account, partnerId }: OfPartner,
  details: PayoutDetails,
): Promise<PayoutSettings> {
  await lockPartner(tx, account.id, partnerId)
  const before = await lockSettings(tx, account.id, partnerId)
  if (before) refuseStale(actor, tx.now)
  const sealed = services.secrets.seal(JSON.stringify(details), settingsPlace(partnerId, account.id))
  const changedAt = before ? tx.now : null
  const { kind, country, hint, ...shown } = toShownDetails(details)
  // to an address, the account pays in its own currency
  const currency = kind === 'paypal' ? account.defaultCurrency : shown.currency
  const routing = 'routingNumber' in details ? details.routingNumber.slice(-4) : null
  const hash = detailsHash(services.secrets, account.id, details)
  const [account4, other] = kind === 'paypal' ? [null, hint] : [hint, null]
  await tx.run`
    insert into payout_settings as d (partner_id, account_id, details_sealed, kind, country, currency, routing_last4,
      account_last4, hint, details_hash, version, changed_at, created_at, updated_at)
    values (${partnerId}, ${account.id}, ${sealed}, ${kind}, ${country}, ${currency}, ${routing}, ${account4}, ${other},
      ${hash}, ${newId()}, ${changedAt}, ${tx.now}, ${tx.now})
    on conflict (partner_id, account_id) do update set details_sealed = excluded.details_sealed, kind = excluded.kind,
      country = excluded.country, currency = excluded.currency, hint = excluded.hint, details_hash = excluded.details_hash,
      routing_last4 = excluded.routing_last4, account_last4 = excluded.account_last4, version = excluded.version,
      changed_at = excluded.changed_at, rejected_reason = null, updated_at = excluded.updated_at`
  await judgeDetails(tx, account, partnerId, hash)
  await afterChange(tx, services.jobs, actor, { account, partnerId }, { before, now: { kind, hint } })
  return getPayoutSettings(tx, services.secrets, account, partnerId)
}

/** Removes the details. Refuses: `not_found` if there are none; `recent_sign_in_required` like a replacement. */
export async function removePayoutSettings(
  tx: Transaction,
  jobs: Jobs,
  actor: Actor,
  { account, partnerId }: OfPartner,
): Promise<void> {
  await lockPartner(tx, account.id, partnerId)
  const before = await lockSettings(tx, account.id, partnerId)
  if (!before?.detailsSealed) throw notFound()
  if (!isFresh(actor, tx.now)) throw refusal('removing_payout_details')
  await tx.run`
    update payout_settings set details_sealed = null, routing_last4 = null, account_last4 = null, hint = null, details_hash = null, version = ${newId()},
      changed_at = ${tx.now}, rejected_reason = null, updated_at = ${tx.now}
    where account_id = ${account.id} and partner_id = ${partnerId}`
  await afterChange(tx, jobs, actor, { account, partnerId }, { before, now: null })
}

const lockPartner = (tx: Transaction, accountId: string, partnerId: string) =>
  tx.one`select id from partners where account_id = ${accountId} and id = ${partnerId} for no key update`

async function afterChange(
  tx: Transaction,
  jobs: Jobs,
  actor: Actor,
  { account, partnerId }: OfPartner,
  { before, now }: { before: SettingsRow | undefined; now: { kind: DetailKind; hint: string | null } | null },
) {
  if (before) await setBackUnpaid(tx, jobs, account, partnerId)
  await emitEvent(tx, userAuthor(actor), account.id, 'partner.payout-settings-updated', {
    id: partnerId,
    object: { partnerId, enabled: now !== null, kind: now?.kind ?? null, updatedAt: tx.now.toISOString() },
    changes: diffFields(audited(before?.detailsSealed ? before : null), audited(now)),
  })
  // no mail for a first entry, which cannot redirect money
  if (before) await sendSignal(tx, account.id, payoutDetailsChanged, { partnerId, kind: now?.kind ?? null })
}

const audited = (of: { kind: DetailKind; hint: string | null } | null) => ({
  kind: of?.kind ?? null,
  accountLast4: of?.hint ?? null,
})
