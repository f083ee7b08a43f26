import { system, toActor } from '../../platform/author.ts'
import { NIL, newId } from '../../platform/database/ids.ts'
import { type Queryable, type Transaction, transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { monthInWords } from '../../platform/format-values.ts'
import type { Services } from '../../platform/services.ts'
import { addDays, dayIn, startOfDay } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { eachNightInParts } from '../access/each-night.ts'
import { lockAccountShared } from '../access/lock-accounts.ts'
import { type NewEntry, newEntry, writeEntries } from '../commissions/entries.ts'
import { isJudged } from '../commissions/entry-status.ts'
import { bonusReasons } from '../commissions/text.ts'
import { moveByGoals } from '../partners/move-partners.ts'
import { periodDays, type Reached, reachedBonuses, reachedMoves, readRemainingFigures } from './judge-goals.ts'
import {
  type Award,
  countAwardChanges,
  insertAwards,
  judgedPartners,
  listGoalRows,
  makeFinal,
  openAwards,
} from './queries.ts'

/** Partners judged in one transaction. */
const BATCH = 200

/**
 * Judges the goals of accounts each night (terms.md, rules 27 to 29): gives bonuses, takes back those that are no longer
 * reached, and then moves partners. Bonuses given before are judged in a disabled account too, which gets nothing new.
 */
export const runGoals = eachNightInParts('goals', 2, judgeGoals, {
  whileDisabled: true,
  eligible: () => sql`a.id in (
      select account_id from goals where deleted_at is null
      union select account_id from goal_awards where ${isJudged})`,
})

/** Judges the goals of one account now. */
export async function judgeGoals(account: AccountFacts, { db }: Pick<Services, 'db'>) {
  for (let after: string | undefined = NIL; after; ) {
    const batch: { last: string | undefined; moves: boolean } = await transaction(db, (tx) =>
      settleBonuses(tx, account.id, after!),
    )
    if (batch.moves) await transaction(db, (tx) => move(tx, account, after!))
    after = batch.last
  }
}

/** Returns what the goals of an account judge now: partners after this id, by the figures to the end of yesterday. */
async function judging(db: Queryable, { id, timeZone, disabledAt }: AccountFacts, after: string) {
  const today = dayIn(timeZone, db.now)
  const goals = disabledAt ? [] : await listGoalRows(db, id)
  const partners = await judgedPartners(db, id, {
    groupIds: [...new Set(goals.map(({ groupId }) => groupId))],
    today: startOfDay(today, timeZone),
    after,
    limit: BATCH,
  })
  return { goals, partners, last: addDays(today, -1) }
}

/**
 * Gives and takes back the bonuses of a batch of partners. Returns whether some are to be moved, and the id after which
 * to continue.
 */
async function settleBonuses(tx: Transaction, accountId: string, after: string) {
  const account = await lockAccountShared(tx, accountId)
  const judged = await judging(tx, account, after)
  const ids = judged.partners.map(({ id }) => id)
  const open = await openAwards(tx, accountId, ids)
  const given = await award(tx, account, await reachedBonuses(tx, account, judged))
  const again = await judgeAgain(tx, account, open)
  const last = open.filter(({ dueAt }) => Date.parse(dueAt) <= lastJudged(tx, account).getTime())
  await makeFinal(
    tx,
    accountId,
    last.map(({ id }) => id),
  )
  await writeEntries(tx, [...given.map((one) => bonusOf(tx, account, one, 0)), ...again])
  return {
    last: ids.length === BATCH ? ids.at(-1) : undefined,
    moves: (await reachedMoves(tx, account, judged)).length > 0,
  }
}

/** Until when bonuses are due that this night judges for the last time: the next one would come too late. */
const lastJudged = ({ now }: Transaction, { timeZone }: AccountFacts) =>
  startOfDay(addDays(dayIn(timeZone, now), 1), timeZone)

function award(tx: Transaction, account: AccountFacts, reached: Reached[]) {
  if (reached.length === 0) return []
  const { id, timeZone, payoutDelay } = account
  const dueAt = startOfDay(addDays(dayIn(timeZone, tx.now), payoutDelay), timeZone)
  const awards = reached.map(({ goal, partner, period, countsFrom, figure }) => ({
    id: newId(),
    goalId: goal.id,
    partnerId: partner.id,
    period,
    countsFrom,
    figure,
    name: goal.name,
    metric: goal.metric,
    atLeast: goal.atLeast!,
    bonus: goal.bonus!,
  }))
  return insertAwards(tx, id, { dueAt, final: dueAt <= lastJudged(tx, account) }, awards)
}

/** Returns the entries that take back bonuses no longer reached, or give them again. */
async function judgeAgain(tx: Transaction, account: AccountFacts, awards: Award[]): Promise<NewEntry[]> {
  if (awards.length === 0) return []
  const figures = await readRemainingFigures(
    tx,
    account.id,
    awards.map(({ partnerId, metric, period, countsFrom }) => {
      return { partnerId, metric, days: periodDays(period, countsFrom) }
    }),
  )
  const ids = awards.map(({ id }) => id)
  const turns = new Map((await countAwardChanges(tx, account.id, ids)).map((row) => [row.id, row.turns]))
  return awards.flatMap((one, at) => {
    const turn = turns.get(one.id)!
    const isGiven = turn % 2 === 1
    return figures[at]! >= one.atLeast === isGiven ? [] : [bonusOf(tx, account, one, turn)]
  })
}

function bonusOf({ now }: Transaction, account: AccountFacts, one: Award, turn: number) {
  const isGiven = turn % 2 === 0
  return newEntry({
    accountId: account.id,
    partnerId: one.partnerId,
    awardId: one.id,
    goalId: one.goalId,
    kind: 'bonus',
    turn,
    amount: isGiven ? one.bonus : -one.bonus,
    currency: account.defaultCurrency,
    day: dayIn(account.timeZone, now),
    availableAt: one.dueAt,
    reason: reasonOf(one, turn),
    actor: toActor(system),
  })
}

function reasonOf({ name, period }: Award, turn: number) {
  if (period === 'all-time') return turn === 0 ? name : bonusReasons[turn % 2 === 1 ? 'lost' : 'again']({ name })
  const key = turn === 0 ? 'ofMonth' : turn % 2 === 1 ? 'ofMonthLost' : 'ofMonthAgain'
  return bonusReasons[key]({ name, month: monthInWords(period) })
}

/** Moves the partners of a batch, judged again under the account's lock. */
const move = (tx: Transaction, account: AccountFacts, after: string) =>
  moveByGoals(tx, account, async () => reachedMoves(tx, account, await judging(tx, account, after)))
