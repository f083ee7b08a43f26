import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

// Processes as Linux reports them: their parents, work and memory.

type Process = { id: number; parent: number; ticks: number }

/** A line of `/proc/<id>/stat`, whose second field is any name in brackets. Ticks are hundredths of a second. */
export function parseProcess(stat: string): Process {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, one) => sum + Number(one), 0)
  return { id: Number.parseInt(stat, 10), parent: Number(fields[1]), ticks }
}

export const allProcesses = (): Process[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [parseProcess(readFileSync(`/proc/${name}/stat`, 'utf8'))]
      } catch {
        // it has ended meanwhile
        return []
      }
    })

/** Processor ticks of a process and all its descendants, ended ones included. */
export function ticksBelow(all: Process[], root: number): number {
  const children = Map.groupBy(all, ({ parent }) => parent)
  const below = (id: number): number =>
    (children.get(id) ?? []).reduce((sum, child) => sum + child.ticks + below(child.id), 0)
  return below(root) + (all.find(({ id }) => id === root)?.ticks ?? 0)
}

export function listDescendants(root: number): number[] {
  const children = Map.groupBy(allProcesses(), ({ parent }) => parent)
  const below = (id: number): number[] => (children.get(id) ?? []).flatMap((child) => [child.id, ...below(child.id)])
  return below(root)
}

/** Ends this process's descendants, PostgreSQL at once and without losing anything, and waits until none is left. */
export async function endDescendants() {
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    for (const id of listDescendants(process.pid)) sendSignalTo(id, signal)
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(50))
      if (listDescendants(process.pid).length === 0) return
  }
}

const PATIENCE_MS = 20_000

function sendSignalTo(id: number, signal: NodeJS.Signals) {
  try {
    process.kill(id, signal)
  } catch {
    // it has ended meanwhile
  }
}

export const readParent = (pid: number): number => parseProcess(readFileSync(`/proc/${pid}/stat`, 'utf8')).parent

/**
 * Bytes; a page shared by several processes counts in parts. `shared` is deliberately shared memory, such as
 * PostgreSQL's buffers.
 */
type Pss = { all: number; shared: number }

export function readPss(pid: number): Pss {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0) * 1024
  return { all: bytes('Pss'), shared: bytes('Pss_Shmem') }
}
