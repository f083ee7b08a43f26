import { formatNumber } from '#contract/format.ts'
import type { GoalMetric } from '#contract/groups.ts'
import { currentLanguage } from '#contract/language.ts'
import { moneyInWords } from '#contract/money.ts'
import type { Transaction } from '../../../platform/database/pool.ts'
import { dayInWords, monthAlone } from '../../../platform/format-values.ts'
import { dayIn } from '../../../platform/time/days.ts'
import type { AccountFacts } from '../../../program/access/account-facts.ts'
import { type PublicName, readPublicName } from '../../../program/access/public-names.ts'
import {
  bonusesSince,
  type GoalBonus,
  listBonuses,
  movesSince,
  newestMoveByGoal,
} from '../../../program/groups/goal-results.ts'
import { readTerms } from '../../../program/terms/terms-state.ts'
import { type NewTerms, newTerms, termsParts } from '../about/terms.ts'
import { type Gathered, newsMail } from '../mail.ts'
import { nameOr, type Part, toPartner } from '../message.ts'
import { insertNews, LATE_DAYS } from '../news-queries.ts'
import { programMailPhrases } from '../program-text.ts'
import { mailPhrases } from '../text.ts'

const words = programMailPhrases.goals
const DAY = 86_400_000

/** A bonus as its partner may see it: `figure` is null for a revenue that is hidden from them. */
type Bonus = Omit<GoalBonus, 'figure' | 'dueAt'> & { figure: number | null; on: string }

/** `goal` is null if none was reached, `now` is null if they keep terms of their own. */
type Move = { goal: string | null; group: PublicName; now: NewTerms | null }

type GoalNews = { accountName: string | null; currency: string; bonuses: Bonus[]; move: Move | null; url: string }

export const goalReached = newsMail({
  group: 'sales',
  title: 'Goal reached',
  description: 'A partner reached a goal and got a bonus, or a goal moved them to another group.',
  daily: noteReached,
  async read(gathered): Promise<GoalNews | null> {
    const { account, origin } = gathered
    const content = { bonuses: await bonusesOf(gathered), move: await moveOf(gathered) }
    if (content.bonuses.length === 0 && !content.move) return null
    return { accountName: account.name, currency: account.defaultCurrency, ...content, url: `${origin}/dashboard` }
  },
  write(data) {
    const { accountName, currency, bonuses, move, url } = data
    const about = bonuses.map((bonus) => bonusInWords(bonus, currency))
    return {
      ...toPartner(accountName),
      subject: subjectOf(bonuses, move),
      preview: [...about, ...(move ? [moveInWords(move)] : [])].join(' '),
      parts: partsOf(data),
      button: { label: mailPhrases.openDashboard, url },
    }
  },
  editable: {
    kind: () => 'goal-reached',
    values: ({ bonuses, move, currency }) => ({
      goal: goalsOf(bonuses, move)
        .map((name) => nameOr(name, words.aGoal))
        .join(', '),
      bonus:
        bonuses.length === 0
          ? null
          : moneyInWords(
              bonuses.reduce((sum, { bonus }) => sum + bonus, 0),
              currency,
            ),
    }),
    details: partsOf,
  },
  sample: {
    accountName: 'Northwind',
    currency: 'usd',
    bonuses: [
      {
        name: 'Busy month',
        metric: 'revenue',
        month: '2026-10',
        atLeast: 5_000_00,
        figure: 5_120_00,
        bonus: 250_00,
        on: '2026-11-30',
      },
    ],
    move: {
      goal: 'Top partner',
      group: { publicName: 'Gold partners', translations: {}, base: 'en' },
      now: {
        terms: { rules: [], otherwise: { layerRates: [25] }, maxPerCustomer: null, maxPerMonth: null },
        recurringMonths: null,
        reach: 'all-sales',
        from: '2026-10-31',
        differs: false,
      },
    },
    url: 'https://partners.example.com/dashboard',
  },
})

const BONUS = 'bonus'

async function bonusesOf({ db, account, partnerId, news }: Gathered): Promise<Bonus[]> {
  const ids = news.filter(({ occasion }) => occasion === BONUS).map(({ subjectId }) => subjectId)
  const hidesRevenue = !account.partnerVisibility.saleAmounts
  return (await listBonuses(db, account.id, partnerId!, ids)).map(({ dueAt, ...bonus }) => ({
    ...bonus,
    figure: bonus.metric === 'revenue' && hidesRevenue ? null : bonus.figure,
    on: dayIn(account.timeZone, new Date(dueAt)),
  }))
}

/** Returns the partner's newest move if it is among the news; null if they were moved again since. */
async function moveOf({ db, account, partnerId, news }: Gathered): Promise<Move | null> {
  const move = await newestMoveByGoal(db, account.id, partnerId!)
  if (!move || !news.some(({ occasion }) => occasion === String(move.number))) return null
  const { goal, group, appliesTo, savedAt } = move
  const state = await readTerms(db, account.id, { kind: 'partner', id: partnerId! }, 'partner')
  const now = state.own ? null : newTerms(state, appliesTo, dayIn(account.timeZone, new Date(savedAt)))
  return { goal, group, now }
}

/** The names of the goals that were reached. */
const goalsOf = (bonuses: Bonus[], move: Move | null) => [
  ...bonuses.map(({ name }) => name),
  ...(move?.goal ? [move.goal] : []),
]

function subjectOf(bonuses: Bonus[], move: Move | null) {
  const reached = goalsOf(bonuses, move)
  if (reached.length > 1) return words.reachedMany({ count: reached.length })
  return reached.length === 1 ? words.reached({ goal: goalIn(reached[0]!) }) : groupIn(move!)
}

function goalIn(given: string) {
  const name = nameOr(given, '')
  return name ? words.goal({ name }) : words.aGoal
}

function groupIn({ group }: Move) {
  const name = nameOr(readPublicName(group, currentLanguage()), '')
  return name ? words.inGroup({ name }) : words.inAnotherGroup
}

function bonusInWords(one: Bonus, currency: string) {
  const { bonus, on } = one
  return words.bonus({
    reached: reachedInWords(one, currency),
    amount: moneyInWords(bonus, currency),
    day: dayInWords(on),
  })
}

function reachedInWords({ name, metric, month, figure, atLeast }: Bonus, currency: string) {
  const goal = goalIn(name)
  const when = month === null ? null : monthAlone(month)
  if (figure === null) return when ? words.reachedIn({ goal, month: when }) : words.reached({ goal })
  const given = { goal, figure: figureInWords(metric, figure, atLeast, currency) }
  return when ? words.reachedWithIn({ ...given, month: when }) : words.reachedWith(given)
}

function figureInWords(metric: GoalMetric, figure: number, atLeast: number, currency: string) {
  if (metric === 'revenue')
    return words.revenue({ figure: moneyInWords(figure, currency), atLeast: moneyInWords(atLeast, currency) })
  const say = metric === 'leads' ? words.leads : words.sales
  return say({ figure: formatNumber(figure), count: atLeast })
}

/** A goal with only an upper limit is not named: nothing was reached. */
const moveInWords = (move: Move) =>
  `${move.goal ? `${words.reached({ goal: goalIn(move.goal) })}. ` : ''}${groupIn(move)}.`

const movePartsOf = (move: Move, currency: string): Part[] =>
  move.now ? [moveInWords(move), ...termsParts(move.now, currency)] : [`${moveInWords(move)} ${words.ownTerms}`]

function partsOf({ currency, bonuses, move }: GoalNews): Part[] {
  return [...bonuses.map((bonus) => bonusInWords(bonus, currency)), ...(move ? movePartsOf(move, currency) : [])]
}

/** Inserts news of the bonuses given, and of moves by goals, since the last mail; also up to two days late. */
async function noteReached(tx: Transaction, { id: accountId }: AccountFacts) {
  const since = new Date(tx.now.getTime() - (1 + LATE_DAYS) * DAY)
  const news = { accountId, kind: 'goal-reached' } as const
  const bonuses = await bonusesSince(tx, accountId, since)
  const moves = await movesSince(tx, accountId, since)
  await insertNews(tx, [
    ...bonuses.map(({ id, partnerId }) => ({ ...news, partnerId, subjectId: id, occasion: BONUS })),
    ...moves.map(({ number, partnerId }) => ({
      ...news,
      partnerId,
      subjectId: partnerId,
      occasion: String(number),
    })),
  ])
}
