import { clocks } from '../server/clocks.ts'
import { userAuthor } from '../server/platform/author.ts'
import { transaction } from '../server/platform/database/pool.ts'
import { addAdjustment } from '../server/program/commissions/adjustments.ts'
import { approvePayouts } from '../server/program/payouts/approve.ts'
import { changeAutoPayoutSettings } from '../server/program/payouts/auto-payout-settings.ts'
import { cancelPayout } from '../server/program/payouts/cancel-payout.ts'
import { connectApp } from '../server/program/payouts/connect-app.ts'
import { pollTransfers } from '../server/program/payouts/jobs.ts'
import { markPayoutPaid } from '../server/program/payouts/mark-paid.ts'
import { orderMethods } from '../server/program/payouts/method-settings.ts'
import { listPayouts, presentPayouts } from '../server/program/payouts/payouts.ts'
import { workOff } from './drain-jobs.ts'
import { PAYPAL_APP, WISE_PROFILE_ID, WISE_TOKEN } from './providers.ts'
import { freshlyConfirmed, type Harbor, type Story, toMoment } from './story.ts'

/** Partners whose last payout has a story of its own. */
const byCheck = ['ruth', 'samuel']
const underWay = ['elif', 'peter']
const waitingForMoney = ['hugo', 'ines']
const refusedByWise = ['grace', 'oliver']
/** Partners whose payouts still wait for approval. */
const leftDue = ['marcus-o', 'priya', 'tomas', 'nadia']

/** Last days in which payouts are opened day by day: nothing that still waits at the end was due earlier. */
const GATHERED = 60

/** Plans twelve months of payouts, by hand at first and then by Wise and PayPal, with one in every state at the end. */
export function planPayouts(story: Story, harbor: Harbor) {
  const { course, services, standIns } = story
  const { db } = services
  const { account, owner } = harbor
  const on = (days: number, work: () => Promise<unknown>) => course.alone(toMoment(story, days), work)

  for (const days of [334, 308, 280, 252, 224, 196, 168, 140, 112]) on(days, payByHand)
  on(100, () => setWise({ wiseToken: WISE_TOKEN, wiseProfileId: WISE_PROFILE_ID }))
  on(99, () =>
    connectApp(services, freshlyConfirmed(story, owner), account, 'paypal', { ...PAYPAL_APP, automatic: false }),
  )
  for (const days of [84, 56, 28]) on(days, () => payByWise(days, () => true))

  // as the product does every hour, so that payouts appear on the day when their first amount is due
  for (let days = GATHERED; days > 0; days--) on(days + 0.1, () => clocks['gather-payouts']!.run(services))

  const later = new Set([...byCheck, ...underWay, ...waitingForMoney, ...refusedByWise])
  on(12, () => payByWise(12, (code) => !later.has(code) && code !== 'tomas'))
  planReturns()
  on(5.2, () => setWise({ wiseToken: null }))
  on(5.1, () => approve((code) => byCheck.includes(code)))
  on(5, async () => {
    await setWise({ wiseToken: WISE_TOKEN, wiseProfileId: WISE_PROFILE_ID })
    await transaction(db, (tx) =>
      orderMethods(tx, services.secrets, freshlyConfirmed(story, owner), account, ['wise', 'paypal']),
    )
  })
  on(4, async () => markPaid([await payoutOf('samuel', ['approved'])], 'Check 2207'))

  on(2, () => payByWise(2, (code) => !later.has(code) && !leftDue.includes(code)))
  on(1.9, refuseDetails)
  on(0.3, () => approve((code) => underWay.includes(code)))
  on(0.2, waitForMoney)
  on(0.1, approveFirst)
  planAdjustments()

  async function dueNow(isMeant: (code: string) => boolean) {
    await clocks['gather-payouts']!.run(services)
    const codes = new Map([...harbor.partners].map(([code, id]) => [id, code]))
    const { items } = await listPayouts(
      db,
      account,
      { limit: 100, sort: '-createdAt', status: ['due'] },
      { reader: 'owner' },
    )
    return items.filter(({ partnerId }) => isMeant(codes.get(partnerId) ?? '')).map(({ id }) => id)
  }

  async function approve(isMeant: (code: string) => boolean) {
    const ids = await dueNow(isMeant)
    const actor = freshlyConfirmed(story, owner)
    await transaction(db, (tx) => approvePayouts(tx, services, actor, account, ids))
    await workOff(services)
    return ids
  }

  async function payByHand() {
    const ids = await approve(() => true)
    course.alone(new Date(story.clock.now().getTime() + 90 * 60_000), () => markPaid(ids, 'Bank transfer'))
  }

  async function markPaid(ids: string[], reference: string) {
    const paid = { reference: `${reference}, ${story.clock.now().toISOString().slice(0, 10)}` }
    for (const id of ids) await transaction(db, (tx) => markPayoutPaid(tx, owner, account, id, paid))
  }

  /** The money leaves a day later, and counts as arrived after five business days without a return. */
  async function payByWise(days: number, isMeant: (code: string) => boolean) {
    await approve(isMeant)
    on(days - 1, async () => {
      standIns.wise.move('processing', 'outgoing_payment_sent')
      await lookAtWise()
    })
    if (days > 9) on(days - 9, lookAtWise)
  }

  async function lookAtWise() {
    await pollTransfers(services)
    await workOff(services)
  }

  const setWise = (change: Parameters<typeof changeAutoPayoutSettings>[3]) =>
    changeAutoPayoutSettings(services, freshlyConfirmed(story, owner), account, change)

  async function payoutOf(code: string, status: string[]) {
    const query = { limit: 1, sort: '-createdAt', status }
    const { items } = await listPayouts(db, account, query, { reader: 'owner', partnerId: harbor.partners.get(code)! })
    if (!items[0]) throw new Error(`${code} has no payout that is ${status.join(' or ')}`)
    return items[0].id
  }

  /** Two banks return the money; one of the returns has already reached the account. */
  function planReturns() {
    const bounce = async (code: string, to: string) => {
      const id = await payoutOf(code, ['sent', 'paid', 'returned'])
      const { transferId } = await db.one<{ transferId: string }>`
        select transfer_id from payout_attempts where payout_id = ${id} order by number desc limit 1`
      for (const from of ['outgoing_payment_sent', 'bounced_back'])
        standIns.wise.move(from, to, (transfer) => transfer.id === Number(transferId))
      await lookAtWise()
    }
    on(7, () => bounce('camille', 'bounced_back'))
    on(6, () => bounce('camille', 'funds_refunded'))
    on(5.6, () => bounce('mei', 'bounced_back'))
  }

  /** Wise refuses two partners' new details. One payout stays failed, the other is canceled. */
  async function refuseDetails() {
    await approve((code) => refusedByWise.includes(code))
    await cancelPayout(services, owner, account, await payoutOf('oliver', ['failed']))
  }

  async function waitForMoney() {
    // below the minimum payout: every approval waits for money, as the review warns
    standIns.wise.setBalance(12_40)
    await approve((code) => waitingForMoney.includes(code))
  }

  /** Two people approve the largest payouts: finance has approved one first. */
  async function approveFirst() {
    const ids = await dueNow(() => true)
    const [largest] = (await presentPayouts(db, account, ids)).toSorted((a, b) => b.amount - a.amount)
    if (!largest) throw new Error('no payout waits for approval')
    const maxPerPayout = Math.floor((largest.amount - 1) / 50_00) * 50_00
    await setWise({ maxPerPayout, approvalsAboveCeiling: 2 })
    const maya = await db.one<{
      id: string
      email: string
    }>`select id, email from users where email = 'maya@harbor.example'`
    const actor = { ...freshlyConfirmed(story, owner), userId: maya.id, email: maya.email }
    await transaction(db, (tx) => approvePayouts(tx, services, actor, account, [largest.id]))
  }

  function planAdjustments() {
    const adjustments = [
      { days: 16, code: 'jane', amount: 12_10, reason: 'Webinar bonus' },
      { days: 33, code: 'priya', amount: 150_00, reason: 'Bonus for ten customers in a month' },
      { days: 48, code: 'tomas', amount: -35_00, reason: 'Paid twice in the spring' },
    ]
    for (const { days, code, ...adjustment } of adjustments)
      course.at(toMoment(story, days), (tx) =>
        addAdjustment(tx, userAuthor(owner), account, harbor.partners.get(code)!, adjustment),
      )
  }
}
