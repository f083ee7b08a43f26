import type { Command } from 'commander'
import { ImportRefusal } from '../integrations/data-transfer/import-refusal.ts'
import { BackupRefusal } from '../platform/backups/backup-refusal.ts'
import { StartRefusal } from '../platform/config/start-refusal.ts'
import { Refusal } from '../platform/refusal.ts'

/** Adds a command with its arguments, options and action to the program. */
export type Define = (program: Command) => Command

/** The final output of a command. */
export type Report = {
  /** For people: lines of text. */
  lines: string[]
  /** For programs, with `--json`: the same, as one object. */
  json: object
  /** Defaults to 0. */
  exitCode?: number
}

/** Prints a command's progress for people, not for programs. */
export type Progress = (line: string) => void

/** Exit code for an unknown command or argument (`EX_USAGE`). */
export const USAGE = 64

/** Options that don't go together. */
export class UsageRefusal extends StartRefusal {}

type Work<Options> = (given: string[], options: Options, tell: Progress) => Promise<Report>

/**
 * Gives a command `--json`, and its action: called with the arguments and the options. Prints the report, as one object
 * with `--json`. A refusal is printed in its own words on standard error, with exit code 1, or 64 if the options are wrong.
 */
export const defineReport = <Options extends object>(command: Command, work: Work<Options>): Command =>
  command.option('--json', 'print one JSON object').action(createReportAction(work))

/** Wraps the action of a command that prints its report, called with arguments, options and the command itself. */
export function createReportAction<Options extends object>(work: Work<Options>) {
  return async (...called: unknown[]) => {
    const [options, given] = [called.at(-2) as Options & { json?: boolean }, called.slice(0, -2) as string[]]
    const say = (line: string) => process.stdout.write(`${line}\n`)
    try {
      const { lines, json, exitCode = 0 } = await work(given, options, options.json ? () => {} : say)
      if (options.json) say(JSON.stringify(json))
      else for (const line of lines) say(line)
      process.exitCode = exitCode
    } catch (error) {
      refuse(error, options.json ?? false)
    }
  }
}

function refuse(error: unknown, json: boolean) {
  const expected = [StartRefusal, ImportRefusal, BackupRefusal, Refusal].some((kind) => error instanceof kind)
  const { message: said, stack } = error as Error
  const message = expected ? said : (stack ?? String(error))
  process.stderr.write(`${json ? JSON.stringify({ error: { message } }) : message}\n`)
  process.exitCode = error instanceof UsageRefusal ? USAGE : 1
}
