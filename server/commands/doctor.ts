import { type NamedFinding, runChecks, type State } from '../doctor/check.ts'
import { checks } from '../doctor/checks.ts'
import { meetPatient } from '../doctor/patient.ts'
import { systemClock } from '../platform/database/pool.ts'
import { countInWords } from '../platform/format-values.ts'
import { type Define, defineReport, type Report } from './command.ts'

export const define: Define = (program) =>
  defineReport(
    program
      .command('doctor')
      .description('Check this server, running or not; exit with 1 and suggest fixes if something is wrong.')
      .addHelpText(
        'after',
        '\nIt changes nothing, sends no email, and connects only to servers named by the variables.',
      ),
    async () => {
      const patient = meetPatient(process.env, { clock: systemClock })
      try {
        return reportOf(await runChecks(checks, patient))
      } finally {
        await patient.leave()
      }
    },
  )

const marks: Record<State, string> = { ok: 'ok', warning: 'WARNING', fault: 'FAULT', skipped: 'skipped' }
const widest = (words: string[]) => Math.max(...words.map((word) => word.length))
const markWidth = widest(Object.values(marks))
const nameWidth = widest(checks.map(({ name }) => name))

function reportOf(findings: NamedFinding[]): Report {
  const count = (state: State) => findings.filter((one) => one.state === state).length
  const faults = count('fault')
  return {
    lines: [
      ...findings.flatMap(linesOf),
      '',
      `${countInWords(faults, 'fault')}, ${countInWords(count('warning'), 'warning')}.`,
    ],
    json: { healthy: faults === 0, checks: findings },
    exitCode: faults > 0 ? 1 : 0,
  }
}

function linesOf({ name, state, finding, advice }: NamedFinding) {
  const indent = ' '.repeat(markWidth + nameWidth + 4)
  const line = `${marks[state].padEnd(markWidth)}  ${name.padEnd(nameWidth)}  ${finding}`
  return advice ? [line, `${indent}${advice}`] : [line]
}
