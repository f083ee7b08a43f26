import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { forbidFetch } from '../platform/http/no-fetch.ts'
import { USAGE } from './command.ts'
import { commands } from './contents.ts'

// npx tributary: finds the command, and exits with 64 for an unknown one.
forbidFetch()

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const program = new Command('tributary')
  .description('Self-hosted referral, partner and affiliate management.')
  .version(version)
  .configureHelp({ showGlobalOptions: true })
  .showHelpAfterError('npx tributary --help lists all commands.')
  .exitOverride()
  .addHelpText(
    'after',
    `
Settings are variables of the environment: docs/variables.md names them all.
A command ends with 0 when it did what it was asked, with 1 when it did not and says
why, and with ${USAGE} when there is no such command or option.`,
  )

// the reader of a pipe may have exited
process.stdout.on('error', () => process.exit())

const commandName = process.argv.slice(2).find((word) => !word.startsWith('-'))
const wanted = commandName && Object.hasOwn(commands, commandName) ? [commands[commandName]!] : Object.values(commands)
for (const load of wanted) (await load()).define(program).exitOverride()

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  // help and version are no errors
  process.exitCode = error.exitCode === 0 ? 0 : USAGE
}
