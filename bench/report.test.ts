import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createAttempts } from './attempts.ts'
import { compareRuns } from './compare.ts'
import { readOptions } from './options.ts'
import { type Kept, type Run, readRun, writeRun } from './record.ts'
import { interleaveRounds, toMedian, toRatio } from './rounds.ts'
import { formatComparison, table } from './table.ts'

const line = (changes: Partial<Kept> = {}): Kept => ({
  ...{ what: 'redirect', ours: '10/s', floor: '20/s', ratio: 0.5, lowest: 0.5, highest: 0.5, goal: 0.5, also: '' },
  busy: false,
  ...changes,
})

test('the ratio is between the medians, its range from the rounds run side by side', () => {
  const { ratio, lowest, highest } = toRatio([40, 50, 10], [100, 100, 50])
  assert.deepEqual([ratio, lowest, highest], [0.4, 0.2, 0.5])
  assert.deepEqual([toMedian([3, 1, 2]), toMedian([4, 1, 2, 3])], [2, 2.5])
})

test('a row limited by the machine’s cores has a ratio and no goal', () => {
  const [, , row] = table([line({ goal: null })])
  assert.match(row!, /\| 0\.50 +\| 0\.50–0\.50 +\| none \| limited by cores \|/)
})

test('rounds alternate their order, and the machine is checked after each', async () => {
  const done: string[] = []
  const way = (name: string) => async (round: number) => {
    done.push(name)
    return round
  }
  const watch = {
    async look() {
      done.push('look')
    },
  }
  const outcomes = await interleaveRounds(watch, 2, { ours: way('ours'), floor: way('floor') })
  assert.deepEqual(done, ['ours', 'floor', 'look', 'floor', 'ours', 'look'])
  assert.deepEqual(outcomes, { ours: [0, 1], floor: [0, 1] })
})

test('a figure is worse only beyond both ranges, and never by less than 0.08 of its former value', () => {
  const ratios = (was: Partial<Kept>, is: Partial<Kept>) => {
    const { worse, better, same } = compareRuns([line(was)], [line(is)])
    return [worse.length, same.length, better.length]
  }
  const exact = (ratio: number) => ({ ratio, lowest: ratio, highest: ratio })
  assert.deepEqual(ratios(exact(0.5), exact(0.461)), [0, 1, 0])
  assert.deepEqual(ratios(exact(0.5), exact(0.459)), [1, 0, 0])
  assert.deepEqual(ratios(exact(1000), exact(930)), [0, 1, 0])
  assert.deepEqual(ratios(exact(1000), exact(900)), [1, 0, 0])
  assert.deepEqual(ratios(exact(0.5), exact(0.55)), [0, 0, 1])
  // half of 0.2 and half of 0.1
  const wide = { ratio: 0.5, lowest: 0.4, highest: 0.6 }
  assert.deepEqual(ratios(wide, { ratio: 0.36, lowest: 0.3, highest: 0.4 }), [0, 1, 0])
  assert.deepEqual(ratios(wide, { ratio: 0.34, lowest: 0.3, highest: 0.4 }), [1, 0, 0])
})

test('a figure measured on a busy machine, or not measured, is not compared', () => {
  const { left, worse, same, better } = compareRuns(
    [line({ what: 'then', busy: true }), line({ what: 'now' }), line({ what: 'hidden', ratio: null, busy: true })],
    [
      line({ what: 'then' }),
      line({ what: 'now', busy: true, ratio: 0.1 }),
      line({ what: 'new' }),
      line({ what: 'hidden' }),
    ],
  )
  assert.deepEqual([worse, same, better], [[], [], []])
  assert.deepEqual(
    left.map(({ what, because }) => `${what}: ${because}`),
    [
      'then: the machine was busy then',
      'now: the machine is busy now',
      'new: not measured then',
      'hidden: the machine was busy then',
    ],
  )
})

test('the report omits ratios of a busy machine, and marks those requested anyway', () => {
  const [, , hidden] = table([line({ ratio: null, lowest: null, highest: null, busy: true })])
  assert.match(hidden!, /\| 20\/s +\| – +\| – +\| ≥ 0.50 \| busy \|/)
  const [, , marked] = table([line({ busy: true })])
  assert.match(marked!, /\| 0.50 +\| 0.50–0.50 +\| ≥ 0.50 \| busy \|/)
  const [, , quiet] = table([line({ lowest: 0.41, highest: 0.62 })])
  assert.match(quiet!, /\| 0.50 +\| 0.41–0.62 +\| ≥ 0.50 \| met \|/)
  const lines = formatComparison(compareRuns([line()], [line({ ratio: 0.3, lowest: 0.3, highest: 0.3 })]))
  assert.deepEqual(lines, ['WORSE  redirect: 0.50 then, 0.30 now, noise 0.04'])
})

test('a figure that fails is named, and the others are still measured', async () => {
  const measured: string[] = []
  const { failed, attempt } = createAttempts()
  for (const name of ['redirect', 'sales', 'start'])
    await attempt(name, async () => {
      if (name === 'sales') throw new Error('ENOTEMPTY')
      measured.push(name)
    })
  assert.deepEqual(measured, ['redirect', 'start'])
  assert.match(failed.join(), /^sales: Error: ENOTEMPTY/)
})

test('a run is read back as written; an invalid file is reported', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-bench-test-'))
  try {
    const file = join(folder, 'run.json')
    const run: Run = {
      ...{ at: '2026-08-27T12:00:00.000Z', machine: '2 × some', load: 'some', rounds: '5 rounds of 2 s' },
      ...{ spins: { shortest: 100, longest: 104 }, lines: [line(), line({ what: 'hidden', ratio: null, busy: true })] },
    }
    await writeRun(file, run)
    assert.deepEqual(await readRun(file), run)
    await writeFile(file, '[]')
    await assert.rejects(readRun(file), /object/)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the command line accepts figures and options, and names unknown ones', () => {
  const read = (line: string) => readOptions(line.split(' ').filter(Boolean), ['redirect', 'sales'])
  assert.deepEqual(read(''), {
    ...{ names: [], quick: false, anyway: false, full: false, json: false, compare: undefined },
    minutes: undefined,
  })
  assert.deepEqual(read('--json redirect --quick').json, true, 'a figure is no file')
  assert.deepEqual(read('--json redirect --quick').names, ['redirect'])
  assert.equal(read('sales --json out.json --anyway').json, 'out.json')
  assert.equal(read('--compare out.json').compare, 'out.json')
  assert.equal(read('sales --minutes 60').minutes, 60)
  for (const wrong of ['--minutes', '--minutes 0', '--minutes soon', '--minutes 1.5'])
    assert.throws(() => read(wrong), /--minutes needs a whole number/)
  assert.throws(() => read('--compare'), /--compare needs the file/)
  assert.throws(() => read('--compare --quick'), /--compare needs the file/)
  assert.throws(() => read('sale'), /There is no sale; there are redirect, sales/)
})
