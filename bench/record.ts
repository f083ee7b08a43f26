import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import { z } from 'zod'
import type { Line } from './rounds.ts'

/** A line as it is shown and saved. Lines measured on a busy machine have a ratio only with `--anyway`. */
export type Kept = Omit<Line, 'ratio' | 'lowest' | 'highest'> & {
  ratio: number | null
  lowest: number | null
  highest: number | null
  busy: boolean
}

const KeptLine = z.object({
  what: z.string(),
  ours: z.string(),
  floor: z.string(),
  goal: z.number().nullable(),
  also: z.string(),
  ratio: z.number().nullable(),
  lowest: z.number().nullable(),
  highest: z.number().nullable(),
  busy: z.boolean(),
}) satisfies z.ZodType<Kept>

const Run = z.object({
  at: z.iso.datetime(),
  machine: z.string(),
  load: z.string(),
  rounds: z.string(),
  /** The shortest and the longest spin, in ms. */
  spins: z.object({ shortest: z.number(), longest: z.number() }),
  lines: z.array(KeptLine),
})
/** A run of the bench, as `--json FILE` saves it. */
export type Run = z.infer<typeof Run>

export const writeRun = (file: string, run: Run) => writeFile(file, `${JSON.stringify(run, null, 2)}\n`)

export const readRun = async (file: string): Promise<Run> => Run.parse(JSON.parse(await readFile(file, 'utf8')))

export const describeMachine = () =>
  `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'unknown'}, ${process.platform}, Node ${process.version}`

/** The load generators, which have their share in every figure. */
export const LOAD = 'bench/load.ts: kept connections in one process of Node, each sends as soon as it is answered'
