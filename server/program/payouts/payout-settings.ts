import type { DepositInfo, PayoutSettings } from '#contract/payout-settings.ts'
import { byUser } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Queryable, type Transaction, transaction } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { happened, send } from '../../platform/events/happened.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { notFound, refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import type { Actor } from '../access/actor.ts'
import { isFresh } from '../access/actor.ts'
import { type Asking, openConnection } from './connections.ts'
import { openDetails, settingsPlace } from './deposit-details.ts'
import type { Method } from './methods/method.ts'
import { payoutTermsOf } from './payout-terms.ts'
import { payoutDetailsChanged } from './signals.ts'
import { setBackUnpaid } from './undo-approval.ts'
import { refusalOf } from './ways.ts'

type SettingsRow = {
  detailsSealed: Buffer | null
  routingLast4: string | null
  accountLast4: string | null
  updatedAt: string
}

type Shown = Omit<SettingsRow, 'updatedAt'> & { updatedAt: string | null; formOnFile: boolean }

const readSettings = (db: Queryable, accountId: string, partnerId: string) => db.one<Shown>`
  select d.details_sealed, d.routing_last4, d.account_last4, d.updated_at, n.tax_form is not null as form_on_file
  from partners n left join payout_settings d on d.account_id = n.account_id and d.partner_id = n.id
  where n.account_id = ${accountId} and n.id = ${partnerId}`

const lockSettings = (tx: Transaction, accountId: string, partnerId: string) => tx.maybe<SettingsRow>`
  select details_sealed, routing_last4, account_last4, updated_at from payout_settings
  where account_id = ${accountId} and partner_id = ${partnerId} for update`

/** Returns the details with masked numbers: the full ones never leave the server. */
export async function getPayoutSettings(
  db: Queryable,
  secrets: Secrets,
  account: AccountFacts,
  partnerId: string,
): Promise<PayoutSettings> {
  const row = await readSettings(db, account.id, partnerId)
  const { updatedAt, formOnFile } = row
  if (!row.detailsSealed) return { enabled: false, depositInfo: null, updatedAt, formOnFile }
  const details = openDetails(secrets, row.detailsSealed, settingsPlace(partnerId, account.id))
  if (!details) throw refusal('payout_details_unreadable')
  return {
    enabled: true,
    depositInfo: {
      ...details,
      routingNumber: masked(row.routingLast4),
      accountNumber: masked(row.accountLast4),
    },
    updatedAt,
    formOnFile,
  }
}

const masked = (last4: string | null) => `•••••${last4 ?? ''}`

type OfPartner = { account: AccountFacts; partnerId: string }

/**
 * Saves details after the account's method has checked them. Refuses: `validation_failed` with its words for details it
 * would not pay to; if it does not respond, they are saved anyway.
 */
export async function enterPayoutSettings(
  services: Services,
  actor: Actor,
  { account, partnerId }: OfPartner,
  details: DepositInfo,
): Promise<PayoutSettings> {
  const { db } = services
  const { updatedAt } = await readSettings(db, account.id, partnerId)
  if (updatedAt !== null) refuseStale(actor, db.now)
  const { method } = await payoutTermsOf(db, account)
  const fields = await wrongFields(services, account, method, details)
  const [said] = Object.values(fields)
  if (said) throw refusal('payout_details_refused', { said }, { fields })
  return transaction(db, (tx) => savePayoutSettings(tx, services, actor, { account, partnerId }, details))
}

/** Longest wait of a partner for all of a provider's answers, in milliseconds. */
const PATIENCE_MS = 5000

/** Asks the method what is wrong with these details, by field: nothing if its provider is not connected or silent. */
async function wrongFields(services: Asking, account: AccountFacts, { checkDetails }: Method, details: DepositInfo) {
  if (!checkDetails) return {}
  const until = Date.now() + PATIENCE_MS
  const connection = await openConnection(services, account.id, () => Math.max(1, until - Date.now()))
  if (!connection?.profileId) return {}
  const { api, profileId } = connection
  const wrong = await checkDetails(api, profileId, { details, currency: account.defaultCurrency })
  return Object.fromEntries(
    Object.entries(wrong).map(([field, words]) => [
      field,
      typeof words === 'string' ? words : refusalOf(words).message,
    ]),
  )
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
  details: DepositInfo,
): Promise<PayoutSettings> {
  await lockPartner(tx, account.id, partnerId)
  const before = await lockSettings(tx, account.id, partnerId)
  if (before) refuseStale(actor, tx.now)
  const sealed = services.secrets.seal(JSON.stringify(details), settingsPlace(partnerId, account.id))
  const changedAt = before ? tx.now : null
  await tx.run`
    insert into payout_settings as d (partner_id, account_id, details_sealed, routing_last4, account_last4, version,
      changed_at, created_at, updated_at)
    values (${partnerId}, ${account.id}, ${sealed}, ${details.routingNumber.slice(-4)},
      ${details.accountNumber.slice(-4)}, ${newId()}, ${changedAt}, ${tx.now}, ${tx.now})
    on conflict (partner_id, account_id) do update set details_sealed = excluded.details_sealed,
      routing_last4 = excluded.routing_last4, account_last4 = excluded.account_last4, version = excluded.version,
      changed_at = excluded.changed_at, rejected_reason = null, updated_at = excluded.updated_at`
  await afterChange(
    tx,
    services.jobs,
    actor,
    { account, partnerId },
    { before, accountLast4: details.accountNumber.slice(-4) },
  )
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
    update payout_settings set details_sealed = null, routing_last4 = null, account_last4 = null, version = ${newId()},
      changed_at = ${tx.now}, rejected_reason = null, updated_at = ${tx.now}
    where account_id = ${account.id} and partner_id = ${partnerId}`
  await afterChange(tx, jobs, actor, { account, partnerId }, { before, accountLast4: null })
}

const lockPartner = (tx: Transaction, accountId: string, partnerId: string) =>
  tx.one`select id from partners where account_id = ${accountId} and id = ${partnerId} for no key update`

async function afterChange(
  tx: Transaction,
  jobs: Jobs,
  actor: Actor,
  { account, partnerId }: OfPartner,
  { before, accountLast4 }: { before: SettingsRow | undefined; accountLast4: string | null },
) {
  if (before) await setBackUnpaid(tx, jobs, account, partnerId)
  await happened(tx, byUser(actor), account.id, 'partner.payout-settings-updated', {
    id: partnerId,
    object: { partnerId, enabled: accountLast4 !== null, updatedAt: tx.now.toISOString() },
    changes: { accountLast4: { old: before?.accountLast4 ?? null, new: accountLast4 } },
  })
  // no mail for a first entry, which cannot redirect money
  if (before) await send(tx, account.id, payoutDetailsChanged, { partnerId })
}
