import type { Kept } from './record.ts'

/** Smallest noise of a ratio, as a part of it. */
const LEAST_NOISE = 0.08

type Measured = Pick<Kept, 'what' | 'ratio' | 'lowest' | 'highest' | 'busy'>
/** A figure of two runs; `noise` is the part by which its ratio may vary by chance. */
export type Compared = { what: string; was: number; is: number; noise: number }
type Comparison = {
  worse: Compared[]
  better: Compared[]
  /** Within the noise. */
  same: Compared[]
  /** Figures that cannot be compared, and why. */
  left: { what: string; because: string }[]
}

/** Compares a run with an earlier one; figures that were not measured again are listed in `left`. */
export function compareRuns(earlier: Measured[], now: Measured[]): Comparison {
  const result: Comparison = { worse: [], better: [], same: [], left: [] }
  for (const line of now) {
    const before = earlier.find(({ what }) => what === line.what)
    const because = !before
      ? 'not measured then'
      : before.busy || before.ratio === null
        ? 'the machine was busy then'
        : line.busy || line.ratio === null
          ? 'the machine is busy now'
          : undefined
    if (because) {
      result.left.push({ what: line.what, because })
      continue
    }
    const [was, is] = [before!.ratio!, line.ratio!]
    const noise = Math.max(LEAST_NOISE * was, halfSpread(before!) + halfSpread(line))
    const found = { what: line.what, was, is, noise }
    if (is < was - noise) result.worse.push(found)
    else if (is > was + noise) result.better.push(found)
    else result.same.push(found)
  }
  return result
}

const halfSpread = ({ lowest, highest }: Measured) => ((highest ?? 0) - (lowest ?? 0)) / 2
