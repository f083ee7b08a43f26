import '../../server/on-cash.ts'
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { system, userAuthor } from '../../server/platform/author.ts'
import { readConfig } from '../../server/platform/config/config.ts'
import { createHomes } from '../../server/platform/database/cluster/homes.ts'
import { newId } from '../../server/platform/database/ids.ts'
import { type Clock, type Database, transaction } from '../../server/platform/database/pool.ts'
import { createSecrets } from '../../server/platform/database/secrets.ts'
import { createOutbound } from '../../server/platform/http/outbound.ts'
import { createJobs } from '../../server/platform/jobs/queue.ts'
import type { Services } from '../../server/platform/services.ts'
import { type AccountFacts, accountFacts } from '../../server/program/access/account-facts.ts'
import type { Actor } from '../../server/program/access/actor.ts'
import { settingsPlace } from '../../server/program/payouts/deposit-details.ts'
import type { SaleToRecord } from '../../server/program/sales/record-sale.ts'
import { count } from '../../server/program/stats/count.ts'
import { addDefaultGroup } from '../../server/program/terms/moves.ts'
import { saveRates, type TermsSubject } from '../../server/program/terms/save-terms.ts'

// Accounts for tests of money: written straight into the tables, a thousand of them in seconds.

const moment = new AsyncLocalStorage<{ now: number }>()

/** A clock with a separate time for each course of events. */
export const ownClock: Clock = { now: () => new Date(moment.getStore()?.now ?? Date.now()) }
/** Runs `work` at a time that it may advance. */
export const atTime = <T>(time: { now: number }, work: () => Promise<T>): Promise<T> => moment.run(time, work)

/** All services except running jobs: nothing here leaves the process. */
export function ledgerServices(db: Database): Services {
  const log = pino({ level: 'silent' })
  const secrets = createSecrets(randomBytes(32))
  const jobs = createJobs(db.url, log)
  const outbound = createOutbound({ allowPrivate: false })
  return { config: readConfig({}), db, homes: createHomes(db), clock: db.clock, log, secrets, jobs, outbound }
}

export type Plan = {
  currency?: string
  timeZone?: string
  payoutDelay?: number
  selfReferralPolicy?: AccountFacts['selfReferralPolicy']
  recurringMonths?: number | null
  /** Percent by layer. */
  rates?: string[]
  blueprintRates?: string[] | null
  partners: { parent?: number | null; active?: boolean; rates?: string[] | null }[]
  /** `emailOf`: the lead has this partner's e-mail. */
  leads?: { partner: number | null; blueprint?: boolean; emailOf?: number | null }[]
}

/** An account as planned; the ids are in the order of the plan. */
export type Ledger = {
  db: Database
  services: Services
  account: AccountFacts
  actor: Actor
  partnerIds: string[]
  leadIds: string[]
}

const NO_CODE = 'abcdefghijklmnopqrstuvwxyz0123456789'
const key = () => [...randomBytes(8)].map((byte) => NO_CODE[byte % 36]).join('')

export function aLedger(services: Services, plan: Plan): Promise<Ledger> {
  const { db } = services
  return transaction(db, async (tx) => {
    const { currency = 'usd', timeZone = 'UTC', payoutDelay = 0, selfReferralPolicy = 'hold' } = plan
    const { rates = ['10'], recurringMonths = null } = plan
    const accountId = newId()
    const today = tx.now.toISOString().slice(0, 10)
    await tx.run`
      insert into accounts (id, public_id, default_currency, payout_delay, time_zone, self_referral_policy,
        recurring_months, created_at, updated_at)
      values (${accountId}, ${accountId}, ${currency}, ${payoutDelay}, ${timeZone}, ${selfReferralPolicy},
        ${recurringMonths}, ${tx.now}, ${tx.now})`
    await addDefaultGroup(tx, accountId)
    const pays = (kind: TermsSubject['kind'], id: string, percent: string[]) =>
      saveRates(tx, system, accountId, { kind, id }, { layerRates: percent.map(Number) })
    await pays('account', accountId, rates)
    const blueprintId = newId()
    await tx.run`
      insert into link_blueprints (id, account_id, key, name, destination_url, domain, created_at, updated_at)
      values (${blueprintId}, ${accountId}, ${key()}, 'Shop', 'https://shop.example.com/', 'shop.example.com', ${tx.now}, ${tx.now})`
    if (plan.blueprintRates) await pays('link', blueprintId, plan.blueprintRates)
    const partnerIds = plan.partners.map(newId)
    const partners = plan.partners
    await tx.run`
      insert into partners (id, account_id, parent_partner_id, email, referral_code, state, approved_payout_years,
        created_on, created_at, updated_at)
      select p.id, ${accountId}, p.parent_id, p.email, 'partner-' || p.place, p.state, '{2025,2026,2027}', ${today},
        ${tx.now}, ${tx.now}
      from unnest(${partnerIds}::uuid[],
        ${partners.map(({ parent }) => (typeof parent === 'number' ? partnerIds[parent]! : null))}::uuid[],
        ${partners.map((_, index) => emailOf(accountId, index))}::text[],
        ${partners.map(({ active = true }) => (active ? 'active' : 'suspended'))}::text[])
        with ordinality as p (id, parent_id, email, state, place)`
    for (const [index, { rates: own }] of partners.entries()) if (own) await pays('partner', partnerIds[index]!, own)
    await tx.run`
      insert into payout_settings (partner_id, account_id, details_sealed, version, created_at, updated_at)
      select d.partner_id, ${accountId}, d.sealed, d.partner_id, ${tx.now}, ${tx.now}
      from unnest(${partnerIds}::uuid[],
        ${partnerIds.map((id) => services.secrets.seal('{}', settingsPlace(id, accountId)))}::bytea[])
        as d (partner_id, sealed)`
    const leads = plan.leads ?? []
    const leadIds = leads.map(newId)
    await tx.run`
      insert into leads (id, account_id, partner_id, blueprint_id, email, source, status, created_on, created_at, updated_at)
      select l.id, ${accountId}, l.partner_id, l.blueprint_id, l.email, 'manual', 'new', ${today}, ${tx.now}, ${tx.now}
      from unnest(${leadIds}::uuid[],
        ${leads.map(({ partner }) => (partner === null ? null : partnerIds[partner]!))}::uuid[],
        ${leads.map(({ blueprint }) => (blueprint ? blueprintId : null))}::uuid[],
        ${leads.map(({ emailOf: partner }, index) => (typeof partner === 'number' ? emailOf(accountId, partner) : `lead-${index}@${accountId}.example`))}::text[])
        as l (id, partner_id, blueprint_id, email)`
    await count(tx, [
      ...plan.partners.map(({ parent }) => ({
        ...{ accountId, day: today, partners: 1 },
        partnerId: typeof parent === 'number' ? partnerIds[parent]! : null,
      })),
      ...leads.map((lead) => ({
        ...{ accountId, day: today, leads: 1 },
        partnerId: lead.partner === null ? null : partnerIds[lead.partner]!,
        blueprintId: lead.blueprint ? blueprintId : null,
      })),
    ])
    const account = await tx.one<AccountFacts>`select ${accountFacts} from accounts a where a.id = ${accountId}`
    const userId = newId()
    await tx.run`
      insert into users (id, email, created_at, updated_at)
      values (${userId}, ${`owner@${accountId}.example`}, ${tx.now}, ${tx.now})`
    await tx.run`
      insert into user_roles (user_id, type, account_id, created_at)
      values (${userId}, 'account-owner', ${accountId}, ${tx.now})`
    const actor: Actor = {
      userId,
      email: `owner@${accountId}.example`,
      sessionId: newId(),
      secondFactor: false,
      onlyAccountId: null,
      confirmedAt: null,
      isAdmin: false,
      teamRoles: { [accountId]: 'owner' },
      partnerRoles: {},
      partnerAccountIds: [],
    }
    return { db, services, account, actor, partnerIds, leadIds }
  })
}

const emailOf = (accountId: string, partner: number) => `partner-${partner}@${accountId}.example`

export const ownerAuthor = ({ actor }: Ledger) => userAuthor(actor)

/** A sale as a payment provider reports it, with these fields changed. */
export const aSale = (
  { account, leadIds }: Ledger,
  fields: Partial<SaleToRecord> & Pick<SaleToRecord, 'amount'>,
): SaleToRecord => ({
  account,
  leadId: leadIds[0] ?? null,
  provider: 'stripe',
  externalId: newId(),
  taxAmount: 0,
  grossAmount: fields.amount + (fields.taxAmount ?? 0),
  currency: account.defaultCurrency,
  saleDate: '2026-03-02',
  matchedBy: null,
  by: system,
  ...fields,
})
