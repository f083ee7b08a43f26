import type { Line } from './rounds.ts'

/** A ratio less than this away from another is no difference. */
const NOISE = 0.08

/** The lines as a table in Markdown, which reads well on a screen too. */
export function table(lines: Line[]): string[] {
  const rows = lines.map(({ what, ours, floor, ratio, goal, also }) => [
    what,
    ours,
    floor,
    short(ratio),
    `≥ ${short(goal)}`,
    verdict(ratio, goal),
    also,
  ])
  const head = ['figure', 'ours', 'floor', 'ratio', 'goal', '', 'also']
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]!.length)))
  const show = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  return [show(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(show)]
}

const verdict = (ratio: number, goal: number) =>
  ratio >= goal ? 'met' : ratio >= goal - NOISE ? 'within noise' : 'missed'

const short = (value: number) => (value < 100 ? value.toFixed(2) : Math.round(value).toLocaleString('en-US'))
