import { formatNumber, formatPlural, type Word } from '#contract/format.ts'
import { defineWords, withTeamWords } from '#contract/words.ts'

/** The words of goals: a figure reached pays a bonus or moves a partner to another group. */
const partnersGoalWords = defineWords('goal', 'partner', {
  heading: 'Goals',
  metrics: { leads: 'Leads', sales: 'Sales', revenue: 'Revenue' },
  windows: { month: 'This month', 'last-90-days': 'Last 90 days', 'all-time': 'All time' },
  atLeast: 'At Least',
  below: 'Below',

  figures: {
    leads: ({ count }: { count: number }) =>
      formatPlural(count, `${formatNumber(count)} lead`, `${formatNumber(count)} leads`),
    sales: ({ count }: { count: number }) =>
      formatPlural(count, `${formatNumber(count)} sale`, `${formatNumber(count)} sales`),
    revenue: ({ amount }: { amount: Word }) => `${amount} in revenue`,
  },
  during: { month: 'this month', 'last-90-days': 'in the last 90 days', 'all-time': 'in total' },
  when: {
    atLeast: ({ figure, during }: { figure: Word; during: Word }) => `At least ${figure} ${during}`,
    below: ({ figure, during }: { figure: Word; during: Word }) => `Below ${figure} ${during}`,
  },

  progress: ({ done, goal, during }: { done: Word; goal: Word; during: Word }) => `${done} of ${goal} ${during}`,
  level: ({ figure, during }: { figure: Word; during: Word }) => `${figure} ${during}`,
  withBonus: ({ progress, amount }: { progress: Word; amount: Word }) => `${progress} · bonus ${amount}`,
  movesYou: ({ progress, group }: { progress: Word; group: Word }) => `${progress} · moves you to ${group}`,
  movesYouAway: ({ progress }: { progress: Word }) => `${progress} · moves you to another group`,
  movesPartner: ({ progress, group }: { progress: Word; group: Word }) => `${progress} · moves to ${group}`,
  movesBelow: ({ progress, group, figure }: { progress: Word; group: Word; figure: Word }) =>
    `${progress} · moves to ${group} below ${figure}`,

  paid: ({ name, figures, during }: { name: Word; figures: Word; during: Word }) =>
    `Goal ${name}: ${figures} ${during}.`,
  paidOf: ({ figure, goal }: { figure: Word; goal: Word }) => `${figure} of ${goal}`,
  inMonth: ({ month }: { month: Word }) => `in ${month}`,
})

export const goalWords = withTeamWords(partnersGoalWords, {
  resource: 'Goal',
  thing: 'goal',
  add: 'Add goal',
  edit: 'Edit goal',
  delete: 'Delete',
  help: 'Goals are checked each night. If several would move a partner, the first one does.',
  none: 'No goals yet. A goal pays a bonus, or moves a partner to another group, once a figure is reached.',
  columns: { goal: 'Goal', when: 'When' },

  name: 'Goal Name',
  nameHelp: 'Partners see this name.',
  metric: 'Metric',
  window: 'Window',
  onlyMoves: 'Over the last 90 days, a goal can only move partners.',
  limit: 'Move Partners Who',
  limits: { atLeast: 'Reach a figure', below: 'Fall below a figure' },
  belowHelp: 'Checked once a partner has been in this group for 90 days.',
  follows: 'Then',
  choices: { bonus: 'Pay a bonus', move: 'Move to group' },
  bonus: 'Bonus',
  bonusHelp: { month: 'Paid once for each month.', 'last-90-days': '', 'all-time': 'Paid once.' },
  noGroup: 'To move partners by goals, add another group first.',
  move: {
    who: 'Who does the move apply to?',
    reaches: { 'new-customers': 'New customers only', 'all-sales': 'All sales from the day of the move' },
    reachHelp: { 'new-customers': 'Customers referred before the move keep what they have.', 'all-sales': '' },
  },
  pays: ({ amount }: { amount: Word }) => `Pays a bonus of ${amount}`,
  moves: ({ group }: { group: Word }) => `Moves to ${group}`,
  reached: { 'new-customers': 'For new customers only', 'all-sales': 'For all sales' },

  reachedNow: ({ count, amount }: { count: number; amount: Word }) =>
    formatPlural(
      count,
      `${formatNumber(count)} partner has reached this already: ${amount} next night.`,
      `${formatNumber(count)} partners have reached this already: ${amount} next night.`,
      'No partner has reached this yet.',
    ),
  movesNow: ({ count }: { count: number }) =>
    formatPlural(
      count,
      `${formatNumber(count)} partner has reached this already and will move next night.`,
      `${formatNumber(count)} partners have reached this already and will move next night.`,
      'No partner has reached this yet.',
    ),
  belowNow: ({ count }: { count: number }) =>
    formatPlural(
      count,
      `${formatNumber(count)} partner is below this and will move next night.`,
      `${formatNumber(count)} partners are below this and will move next night.`,
      'No partner would move next night.',
    ),

  kept: 'Bonuses already earned are kept, and partners stay in their groups.',
  deletedToo: 'Its goals, and goals that move partners to it, are deleted too.',
  keepInGroupHelp: 'Goals never move this partner.',
})
