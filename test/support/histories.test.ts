import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { aStep, type Histories, playHistory } from './histories.ts'

type Jar = { stones: number; lengths: number[] }

const jars: Jar[] = []

/** A jar that breaks with more than twenty stones. */
const histories: Histories<Jar> = {
  length: 40,
  async begin() {
    jars.push({ stones: 0, lengths: [] })
    return jars.at(-1)!
  },
  steps: {
    put: aStep(fc.nat(9), async (jar: Jar, stones) => {
      jar.stones += stones
    }),
    look: aStep(fc.constant(undefined), async (jar: Jar) => assert.ok(jar.stones >= 0)),
  },
  async check(jar) {
    jar.lengths.push(jar.stones)
    assert.ok(jar.stones <= 20, 'the jar broke')
  },
}

test('a history that fails is told by its fewest steps, and the line in its error plays these alone', async () => {
  const failure: Error = await playHistory(histories, 1).then(
    () => assert.fail('nothing failed'),
    (error) => error,
  )
  const [, told, path, steps] = /after (.*)\n.*SEED=1 HISTORY=(\S+) STEPS=(\S+) /.exec(failure.message)!
  assert.match(failure.message, /^the jar broke/)
  assert.doesNotMatch(told!, /look/)
  assert.ok(told!.split(',').length <= 5, told)
  jars.length = 0
  Object.assign(process.env, { HISTORY: path, STEPS: steps })
  await assert.rejects(playHistory(histories, 1), { message: failure.message })
  assert.equal(jars.length, 1)
  delete process.env.HISTORY
  delete process.env.STEPS
})

test('a history that is right has at least its length, and is the same for the same seed', async () => {
  const right = { ...histories, check: async (jar: Jar) => void jar.lengths.push(jar.stones) }
  jars.length = 0
  for (const seed of [1, 1, 2, 3]) await playHistory(right, seed)
  assert.deepEqual(jars[0], jars[1])
  assert.notDeepEqual(jars[1], jars[2])
  for (const { lengths } of jars) assert.ok(lengths.length >= 40 && lengths.length <= 50, `${lengths.length}`)
})

test('a step is drawn as often as its weight says', async () => {
  jars.length = 0
  const mostlyLooks = {
    ...histories,
    weights: { look: 30 },
    check: async (jar: Jar) => void jar.lengths.push(jar.stones),
  }
  await playHistory({ ...mostlyLooks, length: 200 }, 1)
  const puts = jars[0]!.lengths.filter((stones, at, all) => stones !== all[at - 1]).length
  assert.ok(puts > 1 && puts < 20, `${puts}`)
})
