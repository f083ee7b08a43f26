import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseTimes, relativeSlowdown, shareAtWork } from './machine-load.ts'
import { parseProcess, ticksBelow } from './processes.ts'

test('a spin is slow relative to the shortest one of the run', () => {
  assert.equal(relativeSlowdown([100, 100, 100], 100), 0)
  assert.ok(Math.abs(relativeSlowdown([100, 180, 120], 100) - 0.8) < 1e-9)
  assert.equal(relativeSlowdown([], 100), 0)
})

test('work is processor time except idle and disk wait; time stolen by the host counts as work', () => {
  const stat = (line: string) => `cpu  ${line}\ncpu0 9 9 9 9 9 9 9 9 9 9\nintr 12345\n`
  // user nice system idle iowait irq softirq steal guest guest_nice
  const before = parseTimes(stat('100 0 50 1000 20 0 5 0 40 0'))
  const after = parseTimes(stat('130 1 60 1120 30 1 6 28 60 0'))
  assert.deepEqual(before, { working: 155, all: 1175 })
  assert.equal(after.working - before.working, 30 + 1 + 10 + 1 + 1 + 28)
  assert.ok(Math.abs(shareAtWork(before, after) - 71 / 201) < 1e-9)
  assert.equal(shareAtWork(before, before), 0, 'no time has passed')
})

test('a system that reports no stolen time can still be read', () => {
  assert.deepEqual(parseTimes('cpu 10 0 5 85\n'), { working: 15, all: 100 })
})

test('a process is read whatever its name, and includes the time of children it outlived', () => {
  const line = '4211 (node (bench) R 1) S 17 4211 4211 0 -1 4194560 1 2 3 4 70 20 7 3 20 0 11 0 5 6 7'
  assert.deepEqual(parseProcess(line), { id: 4211, parent: 17, ticks: 100 })
})

test('descendants of the bench are its own work; other processes are not', () => {
  const all = [
    { id: 1, parent: 0, ticks: 1000 },
    { id: 10, parent: 1, ticks: 5 },
    { id: 11, parent: 10, ticks: 7 },
    { id: 12, parent: 11, ticks: 11 },
    { id: 20, parent: 1, ticks: 500 },
  ]
  assert.equal(ticksBelow(all, 10), 23)
  assert.equal(ticksBelow(all, 99), 0)
})

test('the current system can be read', { skip: process.platform !== 'linux' }, () => {
  const { working, all } = parseTimes(readFileSync('/proc/stat', 'utf8'))
  assert.ok(working > 0 && all > working)
  const me = parseProcess(readFileSync(`/proc/${process.pid}/stat`, 'utf8'))
  assert.deepEqual([me.id, me.parent], [process.pid, process.ppid])
})
