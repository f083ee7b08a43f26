import { formatNumber } from '#contract/format.ts'
import { type GoalMetric, type GoalProgress, type GoalWindow, listPartnerGoals } from '#contract/groups.ts'
import type { SaleGoal } from '#contract/sales.ts'
import { apiQuery } from '../calls.ts'
import { formatMoney, formatMonth, formatRate, formatShortMoney } from '../format.ts'
import { goalWords } from '../words/goals.ts'

/** The goals of a partner's group, with the partner's figures. */
export const partnerGoalsQuery = (partnerId: string) => apiQuery(listPartnerGoals, { params: { id: partnerId } })

/** Returns '12 sales' or '$5,000.00 in revenue'. */
export const figureInWords = (metric: GoalMetric, figure: number, currency: string) =>
  metric === 'revenue'
    ? goalWords.figures.revenue({ amount: formatMoney(figure, currency) })
    : goalWords.figures[metric]({ count: figure })

type Limits = { metric: GoalMetric; window: GoalWindow; atLeast: number | null; below: number | null }

/** Returns 'At least $5,000.00 in revenue this month'. */
export function goalInWords({ metric, window, atLeast, below }: Limits, currency: string) {
  const during = goalWords.during[window]
  if (below !== null) return goalWords.when.below({ figure: figureInWords(metric, below, currency), during })
  return goalWords.when.atLeast({ figure: figureInWords(metric, atLeast ?? 0, currency), during })
}

/**
 * Returns '$3,200 of $5,000 this month · bonus $250'; without the amount if it is hidden: '64% of $5,000 this month'.
 * `worth` words a bonus that isn't money.
 */
export function progressInWords(
  goal: GoalProgress,
  currency: string,
  reader: 'owner' | 'partner',
  worth?: (amount: number) => string,
) {
  const { metric, window, atLeast, below, current, percent, bonus, moveTo: group } = goal
  const during = goalWords.during[window]
  const money = (amount: number) => formatShortMoney(amount, currency)
  const isMoney = metric === 'revenue'
  const figure = (value: number) => (isMoney ? money(value) : goalWords.figures[metric]({ count: value }))
  if (below !== null) {
    const progress = goalWords.level({ figure: figure(current ?? 0), during })
    return goalWords.movesBelow({ progress, group: group ?? '', figure: figure(below) })
  }
  const done = current === null ? formatRate(percent) : isMoney ? money(current) : formatNumber(current)
  const progress = goalWords.progress({ done, goal: figure(atLeast ?? 0), during })
  if (bonus !== null) return goalWords.withBonus({ progress, amount: (worth ?? money)(bonus) })
  if (reader === 'owner') return goalWords.movesPartner({ progress, group: group ?? '' })
  return group === null ? goalWords.movesYouAway({ progress }) : goalWords.movesYou({ progress, group })
}

/** Returns 'Goal Busy month: $5,120.00 of $5,000.00 in October.', without the figure if it is hidden. */
export function reachedInWords(
  { name, metric, window, period, atLeast, figure }: SaleGoal,
  currency: string,
  today: string,
) {
  const isMoney = metric === 'revenue'
  const goal = isMoney ? formatMoney(atLeast, currency) : goalWords.figures[metric]({ count: atLeast })
  const shown = figure !== null && (isMoney ? formatMoney(figure, currency) : formatNumber(figure))
  return goalWords.paid({
    name,
    figures: shown ? goalWords.paidOf({ figure: shown, goal }) : goal,
    during: period ? goalWords.inMonth({ month: formatMonth(period, today) }) : goalWords.during[window],
  })
}
