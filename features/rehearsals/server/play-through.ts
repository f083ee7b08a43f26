import { moneyInWords } from '#contract/money.ts'
import type { Sale } from '#contract/sales.ts'
import { rehearseLead } from '#features/embed/server/rehearse-lead.ts'
import type { Rehearsed } from '#server/integrations/outgoing-webhooks/rehearse-delivery.ts'
import { rehearsePayment } from '#server/integrations/payment-providers/rehearse-payment.ts'
import { system } from '#server/platform/author.ts'
import { newId } from '#server/platform/database/ids.ts'
import { concernsAll, heldByLock, rolledBack, type Transaction } from '#server/platform/database/pool.ts'
import { dayInWords } from '#server/platform/format-values.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { Services } from '#server/platform/services.ts'
import { dayIn } from '#server/platform/time/days.ts'
import type { Access } from '#server/program/access/access.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import { lockAccountShared } from '#server/program/access/lock-accounts.ts'
import { hasPushKey } from '#server/program/api-keys/api-keys.ts'
import { rehearseVisit } from '#server/program/clicks/rehearse-visit.ts'
import { captureLead } from '#server/program/leads/capture-lead.ts'
import { partnerNames } from '#server/program/partner-directory/partner-names.ts'
import { createPartner } from '#server/program/partners/create-partner.ts'
import { presentSale } from '#server/program/sales/present-sales.ts'
import { pushSales } from '#server/program/sales/push-sales.ts'
import { recordSale } from '#server/program/sales/record-sale.ts'
import { refundByHand } from '#server/program/sales/refund-sale.ts'
import type { Rehearsal, RehearsalStep } from '../contract.ts'
import { eventsTold, leadPartner, type PlayedLink, playedPartner, type RehearsalRow } from './queries.ts'

type Step = Rehearsal['steps'][number]
export type PlayedOutcome = Omit<Step, 'step'>
type Fix = Step['fix']

const done = (detail: string): PlayedOutcome => ({ state: 'done', detail, fix: null })
const warning = (detail: string, fix: Fix): PlayedOutcome => ({ state: 'warning', detail, fix })

/** A step at which a real sale would fail. */
class Stopped extends Error {
  readonly fix: Fix
  constructor(detail: string, fix: Fix) {
    super(detail)
    this.fix = fix
  }
}

/** `happened`: the events for webhooks; `made`: the ids of the temporary rows. */
export type Played = { steps: Map<RehearsalStep, PlayedOutcome>; happened: Rehearsed[]; made: string[] }

/** Milliseconds: the account's figures stay locked until the end, so it gives up before real sales do. */
const LOCK_MS = 2000
const STATEMENT_MS = 3000

/**
 * Runs a click, a lead, a sale and its refund, with the same functions as for real visitors and customers, in one
 * transaction that is always rolled back. Messages and effects of events start only at a commit, which never comes.
 */
export const playThrough = (
  services: Pick<Services, 'db' | 'config' | 'secrets' | 'log'>,
  wanted: Pick<RehearsalRow, 'id' | 'accountId' | 'partnerId' | 'amount'>,
  link: PlayedLink,
): Promise<Played> =>
  rolledBack(
    services.db,
    async (tx) => {
      await tx.client.query(
        `set local statement_timeout = ${STATEMENT_MS}; set local idle_in_transaction_session_timeout = ${STATEMENT_MS}`,
      )
      const play = newPlay(services, tx, wanted, link)
      const before = newId()
      const steps = new Map<RehearsalStep, PlayedOutcome>()
      for (const [step, act] of play.acts) {
        try {
          steps.set(step, await act())
        } catch (error) {
          steps.set(step, failureOf(services, step, error))
          return { steps, happened: [], made: play.made }
        }
      }
      // runs the checks that are deferred to the commit
      await tx.client.query('set constraints all immediate')
      return { steps, happened: await eventsTold(tx, wanted.accountId, play.made, before), made: play.made }
    },
    { lockTimeoutMs: LOCK_MS },
  )

function failureOf({ log }: Pick<Services, 'log'>, step: RehearsalStep, error: unknown): PlayedOutcome {
  const failed = (detail: string, fix: Fix = null): PlayedOutcome => ({ state: 'failed', detail, fix })
  if (error instanceof Stopped) return failed(error.message, error.fix)
  if (error instanceof Refusal) return failed(inWords(error))
  if (concernsAll(error)) throw error
  if (heldByLock(error) || (error as { code?: string }).code === '57014')
    return failed('The account was busy with other sales. Play it through again.')
  log.error({ err: error, step }, 'a step of a rehearsal failed')
  return failed('This failed unexpectedly. Ask the administrator of this server to check its log.')
}

const inWords = ({ message, fields = {} }: Refusal) => Object.values(fields)[0] ?? message

function newPlay(
  services: Pick<Services, 'config' | 'secrets' | 'log'>,
  tx: Transaction,
  { id, accountId, partnerId, amount }: Pick<RehearsalRow, 'id' | 'accountId' | 'partnerId' | 'amount'>,
  link: PlayedLink,
) {
  const made: string[] = []
  const email = `rehearsal-${id}@example.com`
  // set by the previous steps
  let account: AccountFacts
  let access: Access
  let partner: { id: string; referralCode: string; name: string }
  let clickId: string
  let leadId: string
  let sale: Sale
  let refund: () => Promise<unknown>

  async function click() {
    account = await lockAccountShared(tx, accountId)
    access = { as: 'owner', account, subjectId: account.id, partnerId: null }
    const known = await playedPartner(tx, accountId, partnerId)
    partner = known ? { ...known, name: await nameOf(known.id) } : await makeUp()
    const visit = await rehearseVisit(tx, link.key, partner.referralCode)
    if (visit.obstacle) throw new Stopped(...explain(visit.obstacle, link, partner.name))
    clickId = visit.clickId
    made.push(clickId)
    const { host } = new URL(visit.location)
    return done(`“${link.name}” redirected to ${host} and counted the click for ${partner.name}.`)
  }

  async function makeUp() {
    const body = { firstName: 'Sample', lastName: 'partner', email: `partner-${id}@example.com`, sendInvitation: false }
    const { id: madeId, referralCode } = await createPartner(tx, services, system, access, body)
    made.push(madeId)
    return { id: madeId, referralCode, name: 'a sample partner' }
  }

  const nameOf = async (one: string) => (await partnerNames(tx, [accountId], [one])).get(one) ?? ''

  async function lead() {
    const { referralCode } = partner
    const form = { email, clickId, referralCode, pageUrl: link.destinationUrl }
    const sent = await rehearseLead(tx, services, accountId, form)
    if (sent?.leadId === null) throw new Stopped(...lackOf(sent.lack, sent.domains, link))
    const isPushed = !sent && (await hasPushKey(tx, accountId))
    if (sent) leadId = sent.leadId
    else ({ leadId } = await captureLead(tx, account, { source: isPushed ? 'api' : 'manual', email, clickId }))
    made.push(leadId)
    if ((await leadPartner(tx, accountId, leadId)) !== partner.id)
      throw new Stopped(`The lead was accepted, but not credited to ${partner.name}.`, 'links')
    if (sent) return done(`The embed code accepted a form and credited it to ${partner.name} by the click.`)
    if (isPushed) return done(`A lead was pushed with its click and credited to ${partner.name}.`)
    return warning(
      `There’s no embed code or API key, so no page reports leads. This lead was added manually and credited to ${partner.name}.`,
      'embed-code',
    )
  }

  async function sell() {
    const externalId = `rehearsal-${id}`
    const paid = await rehearsePayment(tx, account, { externalId, email, clickId, amount })
    const saleId = paid?.saleId ?? (await sellWithoutProvider(externalId))
    sale = await presentSale(tx, access, saleId)
    made.push(saleId, ...sale.commissions.map((entry) => entry.id))
    refund = paid?.refund ?? (() => refundByHand(tx, system, account, saleId, { reason: null }))
    if (sale.partnerId !== partner.id)
      throw new Stopped(`The sale was recorded, but not credited to ${partner.name}.`, 'payment-providers')
    const sum = moneyInWords(amount, account.defaultCurrency)
    if (paid?.stateReason)
      return warning(
        `A ${sum} payment was recorded, but ${paid.provider} needs attention: ${paid.stateReason}`,
        'payment-providers',
      )
    if (paid) return done(`A ${sum} payment from ${paid.provider} was recorded and credited to ${partner.name}.`)
    if (sale.provider === 'api') return done(`A pushed sale of ${sum} was recorded and credited to ${partner.name}.`)
    return warning(
      `No payment provider or API key is connected, so this ${sum} sale was entered manually.`,
      'payment-providers',
    )
  }

  async function sellWithoutProvider(externalId: string) {
    if (await hasPushKey(tx, accountId)) {
      const row = { externalId, leadId, amount }
      const [answer] = await pushSales(tx, [{ access: { ...access, as: 'push' }, row, by: system }])
      if (answer instanceof Error) throw answer
      return answer!.sale.id
    }
    const byHand = {
      account,
      leadId,
      provider: 'manual',
      externalId,
      amount,
      taxAmount: 0,
      grossAmount: amount,
    } as const
    const { id: saleId } = await recordSale(tx, {
      ...byHand,
      currency: null,
      saleDate: tx.now,
      matchedBy: 'manual',
      by: system,
    })
    return saleId
  }

  async function commission() {
    const { commissions: entries, accountCurrency, hold } = sale
    const total = entries.reduce((sum, entry) => sum + (entry.amount ?? 0), 0)
    if (total === 0) return warning('No one earned anything: the rates add up to 0%.', 'commission')
    const shares = entries.map(
      ({ partnerId: one, partnerName, amount: share, rate }) =>
        `${one === partner.id ? partner.name : partnerName} ${moneyInWords(share ?? 0, accountCurrency)} (${rate}%)`,
    )
    if (hold) return warning(`Earned: ${shares.join(', ')}; on hold: ${hold.reason}`, 'commission')
    const [due] = entries.flatMap(({ availableAt }) => availableAt ?? []).sort()
    const from = due ? `, payable from ${dayInWords(dayIn(account.timeZone, new Date(due)))}` : ''
    return done(`Earned: ${shares.join(', ')}${from}.`)
  }

  async function giveBack() {
    await refund()
    const after = await presentSale(tx, access, sale.id)
    made.push(...after.commissions.map((entry) => entry.id))
    const left = after.commissions.reduce((sum, entry) => sum + (entry.amount ?? 0), 0)
    const currency = after.accountCurrency
    if (after.status !== 'refunded' || left !== 0)
      throw new Stopped(`After the refund, ${moneyInWords(left, currency)} in commission was left.`, null)
    return done('The sale was refunded in full, and its commission was reversed.')
  }

  const acts: [RehearsalStep, () => Promise<PlayedOutcome>][] = [
    ['click', click],
    ['lead', lead],
    ['sale', sell],
    ['commission', commission],
    ['refund', giveBack],
  ]
  return { acts, made }
}

function explain(obstacle: string, link: PlayedLink, partner: string): [detail: string, fix: Fix] {
  if (obstacle === 'the blueprint is disabled')
    return [`“${link.name}” is disabled, so clicks aren’t counted.`, 'links']
  if (obstacle === 'the account is disabled') return ['This account is disabled, so clicks aren’t counted.', null]
  if (obstacle === 'the partner is suspended or archived')
    return [`${partner} is suspended or archived, so clicks on their links aren’t counted.`, 'partners']
  return [`“${link.name}” doesn’t count clicks: ${obstacle}.`, 'links']
}

function lackOf(lack: string, domains: string[], { destinationUrl }: PlayedLink): [detail: string, fix: Fix] {
  const { host } = new URL(destinationUrl)
  if (lack === 'origin')
    return [
      `The link goes to ${host}, but the embed code only accepts leads from ${domains.join(', ')}. Add this domain to it.`,
      'embed-code',
    ]
  if (lack === 'account') return ['This account is disabled, so leads aren’t accepted.', null]
  if (lack === 'reference')
    return ['The embed code only accepts referred visitors, and this click credited no one.', 'links']
  return ['The embed code rejected the form.', 'embed-code']
}
