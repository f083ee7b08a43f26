import type { Compared, compareRuns } from './compare.ts'
import type { Kept } from './record.ts'

/** Distance below its goal at which a ratio may still have met it; for a small goal, a fifth of the goal. */
const NOISE = 0.08

/** The lines as a table in Markdown, which reads well on a screen too. */
export function table(lines: Kept[]): string[] {
  const rows = lines.map(({ what, ours, floor, ratio, lowest, highest, goal, also, busy }) => [
    what,
    ours,
    floor,
    ratio === null ? '–' : short(ratio),
    lowest === null || highest === null ? '–' : `${short(lowest)}–${short(highest)}`,
    goal === null ? 'none' : `≥ ${short(goal)}`,
    busy ? 'busy' : goal === null ? 'limited by cores' : verdict(ratio ?? 0, goal),
    also,
  ])
  return formatTable(['figure', 'ours', 'floor', 'ratio', 'single rounds', 'goal', '', 'also'], rows)
}

/** The comparison of a run with an earlier one, as text lines. */
export function formatComparison({ worse, better, same, left }: ReturnType<typeof compareRuns>): string[] {
  const lines = (title: string, figures: Compared[]) =>
    figures.map(
      ({ what, was, is, noise }) => `${title} ${what}: ${short(was)} then, ${short(is)} now, noise ${short(noise)}`,
    )
  return [
    ...lines('WORSE ', worse),
    ...lines('better', better),
    ...lines('same  ', same),
    ...left.map(({ what, because }) => `left   ${what}: ${because}`),
  ]
}

export function formatTable(head: string[], rows: string[][]): string[] {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]!.length)))
  const show = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  return [show(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(show)]
}

const verdict = (ratio: number, goal: number) =>
  ratio >= goal ? 'met' : ratio >= goal - Math.min(NOISE, goal / 5) ? 'within noise' : 'missed'

const short = (value: number) => (value < 100 ? value.toFixed(2) : Math.round(value).toLocaleString('en-US'))
