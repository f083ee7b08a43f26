import { answerParent } from './child.ts'

// One core's part of the spin that `quiet.ts` measures: a fixed amount of pure processor work, timed in ms.

export type Spin = { turns: number }

answerParent<Spin, number>(async ({ turns }) => {
  const startedAt = performance.now()
  let state = 1
  for (let turn = 0; turn < turns; turn++) state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + turn) | 0
  const took = performance.now() - startedAt
  // returning the result keeps the compiler from dropping the loop
  return Number.isInteger(state) ? took : Number.NaN
})
