import { randomBytes } from 'node:crypto'
import type {
  Account,
  AccountChange,
  AccountForPartner,
  NewAccount,
  PublicBrand,
  Retention,
} from '#contract/accounts.ts'
import type { Language } from '#contract/language.ts'
import { areDays, arePaydaysEqual, type Paydays, storedPaydays } from '#contract/paydays.ts'
import { type Author, diffFields } from '../../platform/author.ts'
import type { Config } from '../../platform/config/config.ts'
import { newId } from '../../platform/database/ids.ts'
import { linksChanged } from '../../platform/database/links-changed.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import type { RequestDomain } from '../../platform/http/request-domain.ts'
import { notFound, refusal, wrongField } from '../../platform/refusal.ts'
import type { Install } from '../../platform/services.ts'
import { databaseZone } from '../../platform/time/time-zone.ts'
import type { Access } from '../access/access.ts'
import { accountTable } from '../access/account-facts.ts'
import { type Actor, isFresh } from '../access/actor.ts'
import { settlePaydays } from '../access/each-night.ts'
import { blockBookings } from '../access/lock-accounts.ts'
import { supportEmail } from '../access/support-email.ts'
import { openKey } from '../api-keys/api-keys.ts'
import { getOwners, invitationsOfOwners, inviteOwner } from '../auth/owners.ts'
import { portalUrl } from '../custom-domains/portal-url.ts'
import { getHosts } from '../custom-domains/present-host.ts'
import { getLook, logoUrl } from '../pictures/files.ts'
import { addDefaultGroup } from '../terms/moves.ts'
import { fromPpm } from '../terms/rates.ts'
import { saveRates } from '../terms/save-terms.ts'
import { changeRates } from '../terms/terms-state.ts'
import { type AccountRow, accountById, currencyFixedBy, insertAccount, lockAccount, setDisabled } from './queries.ts'

/** Name, else the owner's e-mail, else '(Anonymous account)'. */
export const accountName = (account: Pick<AccountRow, 'name' | 'ownerEmail'>) =>
  account.name || account.ownerEmail || '(Anonymous account)'

/** Returns the account's name as payees see it. */
export const accountNameById = async (db: Queryable, id: string) => accountName(await accountById(db, id))

const retentionOf = ({ rawDataDays, idleLeadMonths, payeeYears }: AccountRow): Retention => ({
  rawDataDays,
  idleLeadMonths,
  payeeYears,
})

/** Returns the account as this caller may read it: the key for owners, the invitation for administrators. */
export async function presentAccount(
  db: Queryable,
  install: Install,
  id: string,
  as: 'admin' | 'owner',
): Promise<Account> {
  const [account] = await presentAccounts(db, install, [await accountById(db, id)], as)
  return account!
}

/** Returns the accounts in the given order, as this caller may read them. */
export async function presentAccounts(
  db: Queryable,
  install: Install,
  rows: AccountRow[],
  as: 'admin' | 'owner',
): Promise<Account[]> {
  const ids = rows.map(({ id }) => id)
  const [owners, invitations, hosts, support] = await Promise.all([
    getOwners(db, rows),
    as === 'admin' ? invitationsOfOwners(db, install, ids) : undefined,
    getHosts(db, ids),
    supportEmail(db, install.config),
  ])
  const keyOf = ({ id, apiKeySealed }: AccountRow) =>
    as === 'owner' && apiKeySealed ? openKey(install.secrets, id, apiKeySealed) : null
  return rows.map((row) => ({
    ...row,
    displayName: accountName(row),
    apiKey: keyOf(row),
    defaultCommissionSettings: fromPpm(row.layerRatesPpm),
    retention: retentionOf(row),
    owner: owners.get(row.id) ?? null,
    ownerInvitation: invitations?.get(row.id) ?? null,
    supportEmail: support,
    host: hosts.get(row.id) ?? null,
  }))
}

/** A portal has no e-mails. */
export async function presentAccountToPartner(
  db: Queryable,
  config: Config,
  { account, inPortal }: Access,
): Promise<AccountForPartner> {
  const { id } = account
  const origin = portalUrl(config, account)
  const row = await accountById(db, id)
  const support = inPortal ? null : await supportEmail(db, config)
  const look = await getLook(db, id)
  return {
    ...row,
    displayName: accountName(inPortal ? { ...row, ownerEmail: null } : row),
    supportEmail: support,
    programUrl: await openProgram(db, origin, id),
    logoUrl: logoUrl(origin, look),
    accent: look.accent,
  }
}

/**
 * Returns an account as strangers see it; at its own host without being named. Refuses: an unknown and a disabled one,
 * and at an own host another account's, alike.
 */
export async function presentPublicBrand(
  db: Queryable,
  config: Config,
  asked: string | undefined,
  ownHost: RequestDomain | undefined,
): Promise<PublicBrand> {
  const publicId = asked ?? ownHost?.publicId
  if (publicId === undefined || (ownHost && publicId !== ownHost.publicId)) throw notFound()
  if (!/^[\w-]+$/.test(publicId)) throw notFound()
  const found = await db.maybe<{ id: string; name: string | null; portalHost: string | null; language: string }>`
    select id, name, portal_host, language from accounts where public_id = ${publicId} and disabled_at is null`
  if (!found) throw notFound()
  const origin = portalUrl(config, found)
  const look = await getLook(db, found.id)
  return {
    displayName: found.name,
    logoUrl: logoUrl(origin, look),
    accent: look.accent,
    programUrl: await openProgram(db, origin, found.id),
    language: found.language,
    signInUrl: `${origin}/auth/sign-in`,
  }
}

/** Returns the language in which an account writes. */
export const languageOfAccount = async (db: Queryable, accountId: string) =>
  (await db.one<{ language: Language }>`select language from accounts where id = ${accountId}`).language

/** Address of a program's public page. */
export const programUrl = (origin: string, slug: string) => `${origin}/join/${slug}`

/** The address under which the account takes applications; null while it takes none. */
async function openProgram(db: Queryable, origin: string, accountId: string) {
  const open = await db.maybe<{ slug: string }>`
    select slug from programs where account_id = ${accountId} and state = 'open'`
  return open ? programUrl(origin, open.slug) : null
}

/**
 * Creates an account with defaults for all other settings, and invites its owner if one is given.
 * Refuses: `time_zone_unknown`.
 */
export async function createAccount(tx: Transaction, install: Install, by: Author, body: NewAccount) {
  const { name = null, defaultCurrency = 'usd', defaultCommissionSettings = { layerRates: [0] }, owner } = body
  const timeZone = await knownZone(tx, body.timeZone ?? 'UTC')
  const id = newId()
  const publicId = randomBytes(9).toString('base64url')
  await insertAccount(tx, { id, name, publicId, defaultCurrency, timeZone })
  await addDefaultGroup(tx, id)
  await saveRates(tx, by, id, { kind: 'account', id }, defaultCommissionSettings)
  await recordActivity(tx, by, id, 'account.created', { id })
  if (owner) await inviteOwner(tx, install, by, id, owner)
  return id
}

async function knownZone(db: Queryable, wanted: string) {
  const timeZone = await databaseZone(db, wanted)
  if (!timeZone) throw wrongField('timeZone', 'time_zone_unknown')
  return timeZone
}

/**
 * Changes settings for the future; booked entries stay as they are.
 * Refuses: `forbidden` for an administrator beyond the name; `payday_wrong`; `time_zone_unknown`; `invalid_state` for another currency
 * after the first sale, entry, payout or exchange rate.
 */
export async function changeAccount(tx: Transaction, by: Author, access: Access, change: AccountChange) {
  const { id } = access.account
  const isNameAlone = Object.keys(change).every((field) => field === 'name')
  if (access.as === 'admin' && !isNameAlone) throw refusal('only_name_for_administrators')
  if (change.paydays && !areDays(change.paydays)) throw wrongField('paydays', 'payday_wrong')
  const wanted = change.timeZone ?? access.account.timeZone
  const timeZone = wanted === access.account.timeZone ? wanted : await knownZone(tx, wanted)
  // before the account's lock, like a run of that day
  const paydays = changedPaydays(access.account.paydays, change)
  if (paydays) await settlePaydays(tx, { id, timeZone })
  await lockAccount(tx, id)
  const before = await accountById(tx, id)
  if (change.defaultCurrency && change.defaultCurrency !== before.defaultCurrency) await refuseIfFixed(tx, id)
  const { defaultCommissionSettings, retention, ...others } = {
    ...change,
    paydays,
    timeZone: change.timeZone && timeZone,
    partnerVisibility: change.partnerVisibility && { ...before.partnerVisibility, ...change.partnerVisibility },
  }
  const shown = {
    ...before,
    defaultCommissionSettings: fromPpm(before.layerRatesPpm),
    retention: retentionOf(before),
  }
  const kept = retention && { ...shown.retention, ...retention }
  const changes = diffFields(shown, { ...others, defaultCommissionSettings, retention: kept })
  await accountTable.update(tx, { id }, { ...others, ...kept })
  if (defaultCommissionSettings) await changeRates(tx, by, id, { kind: 'account', id }, defaultCommissionSettings)
  await linksChanged(tx, id)
  await recordActivity(tx, by, id, 'account.updated', { id, changes })
}

const changedPaydays = (before: Paydays, { paydays }: AccountChange) =>
  paydays && !arePaydaysEqual(paydays, before) ? storedPaydays(paydays) : undefined

/**
 * Changing who needs a second factor requires a recent password; requiring one also requires having one. Refuses:
 * `recent_sign_in_required`, `invalid_state`.
 */
export function refuseRequiring(actor: Actor, now: Date, { account }: Access, { requireSecondFactor }: AccountChange) {
  if (!requireSecondFactor || requireSecondFactor === account.requireSecondFactor) return
  if (!isFresh(actor, now)) throw refusal('requiring_second_factor')
  if (requireSecondFactor !== 'off' && !actor.secondFactor) throw refusal('own_factor_first')
}

/** All bookings lock the account, so under this lock none is missed. */
async function refuseIfFixed(tx: Transaction, id: string) {
  const reason = await currencyFixedBy(tx, id)
  if (reason) throw wrongField('defaultCurrency', reason)
}

/**
 * Enables or disables the account; repeating changes nothing. Jobs of the account resume by themselves once it is
 * enabled.
 */
export async function switchAccount(
  tx: Transaction,
  by: Author,
  id: string,
  { to, reason }: { to: 'enabled' | 'disabled'; reason: string | null },
) {
  const disabled = to === 'disabled'
  await blockBookings(tx, id)
  if ((await setDisabled(tx, id, disabled ? tx.now : null, disabled ? reason : null)) > 0) {
    await linksChanged(tx, id)
    await recordActivity(tx, by, id, `account.${to}`, { id, changes: { reason: { old: null, new: reason } } })
  }
}
