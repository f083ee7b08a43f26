import { countInWords } from '../platform/format-values.ts'
import { withTimeout } from '../platform/with-timeout.ts'
import { NotToBeSeen, type Patient } from './patient.ts'

/** `skipped`: there is nothing to check, or its prerequisite is faulty. */
export type State = 'ok' | 'warning' | 'fault' | 'skipped'

/** A finding of a check, with advice. */
export type Finding = { state: State; finding: string; advice?: string }

export type Check = {
  name: string
  /** Checks without changing anything. An error it throws is a fault of this check only. */
  look(patient: Patient): Promise<Finding | Finding[]>
  /** Time-out in milliseconds. */
  patience?: number
}

export type NamedFinding = Finding & { name: string }

export const reportOk = (finding: string): Finding => ({ state: 'ok', finding })
export const reportSkipped = (finding: string): Finding => ({ state: 'skipped', finding })
export const reportWarning = (finding: string, advice: string): Finding => ({ state: 'warning', finding, advice })
export const reportFault = (finding: string, advice: string): Finding => ({ state: 'fault', finding, advice })

/** Returns the problems found, or this finding if there are none. */
export function problemsOr(fine: Finding, ...found: (Finding | null)[]): Finding[] {
  const problems = found.filter((one) => one !== null)
  return problems.length > 0 ? problems : [fine]
}

const PATIENCE_MS = 20_000

/**
 * Runs all checks concurrently and independently: a hanging or failing one does not affect the others. Keeps their
 * order.
 */
export async function runChecks(checks: Check[], patient: Patient): Promise<NamedFinding[]> {
  const findings = await Promise.all(
    checks.map(async (check) => (await runCheck(check, patient)).map((found) => ({ name: check.name, ...found }))),
  )
  return findings.flat()
}

async function runCheck({ look, patience = PATIENCE_MS }: Check, patient: Patient): Promise<Finding[]> {
  try {
    return [await withTimeout(patience, look(patient), () => tooLate(patience))].flat()
  } catch (error) {
    const { message } = error as Error
    if (error instanceof NotToBeSeen) return [reportSkipped(message)]
    return [reportFault(`The check failed: ${message}`, 'See the results of the other checks, then check again.')]
  }
}

const tooLate = (patience: number) =>
  reportFault(
    `There was no response within ${countInWords(patience / 1000, 'second')}.`,
    'The server it contacts is reachable but hangs: see that server’s log.',
  )
