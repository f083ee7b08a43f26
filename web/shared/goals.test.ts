import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GoalProgress } from '#contract/groups.ts'
import { goalInWords, progressInWords, reachedInWords } from './goals.ts'

const goal: GoalProgress = {
  ...{ goalId: '1', name: 'Busy month', metric: 'revenue', window: 'month', atLeast: 5000_00, below: null },
  ...{ current: 3200_50, percent: 64, reached: false, bonus: 250_00, moveTo: null },
}

test('a goal is one sentence', () => {
  assert.equal(goalInWords(goal, 'usd'), 'At least $5,000.00 in revenue this month')
  assert.equal(
    goalInWords({ ...goal, metric: 'sales', atLeast: 1, window: 'all-time' }, 'usd'),
    'At least 1 sale in total',
  )
  const below = { ...goal, metric: 'leads', window: 'last-90-days', atLeast: null, below: 1200 } as const
  assert.equal(goalInWords(below, 'usd'), 'Below 1,200 leads in the last 90 days')
})

test('progress has the figure, or its share if it is hidden, and what follows', () => {
  const describe = (more: Partial<GoalProgress>, reader: 'owner' | 'partner' = 'partner') =>
    progressInWords({ ...goal, ...more }, 'usd', reader)
  assert.equal(describe({}), '$3,200.50 of $5,000 this month · bonus $250')
  assert.equal(describe({ current: null }), '64% of $5,000 this month · bonus $250')
  const moving = { metric: 'leads', window: 'last-90-days', atLeast: 10, current: 3, bonus: null } as const
  assert.equal(describe(moving), '3 of 10 leads in the last 90 days · moves you to another group')
  assert.equal(describe({ ...moving, moveTo: 'Gold' }), '3 of 10 leads in the last 90 days · moves you to Gold')
  assert.equal(describe({ ...moving, moveTo: 'Gold' }, 'owner'), '3 of 10 leads in the last 90 days · moves to Gold')
  assert.equal(
    describe({ ...moving, atLeast: null, below: 2, current: 1, moveTo: 'Silver' }, 'owner'),
    '1 lead in the last 90 days · moves to Silver below 2 leads',
  )
})

test('a receipt has the figure that was reached, unless it is hidden, and the month', () => {
  const { name, metric, window } = goal
  const reached = { name, metric, window, period: '2026-10', atLeast: 5000_00, figure: 5120_00 }
  const describe = (more: Partial<typeof reached> | object) =>
    reachedInWords({ ...reached, ...more }, 'usd', '2026-11-25')
  assert.equal(describe({}), 'Goal Busy month: $5,120.00 of $5,000.00 in October.')
  assert.equal(describe({ figure: null, period: '2025-12' }), 'Goal Busy month: $5,000.00 in December 2025.')
  assert.equal(
    describe({ metric: 'sales', window: 'all-time', period: null, atLeast: 10, figure: 12 }),
    'Goal Busy month: 12 of 10 sales in total.',
  )
})
