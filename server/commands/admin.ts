import { text } from 'node:stream/consumers'
import { NewPassword } from '#contract/auth.ts'
import { isCommonPassword } from '../platform/config/common-passwords.ts'
import { StartRefusal } from '../platform/config/start-refusal.ts'
import { type MadeAdministrator, makeAdministrator } from '../program/auth/administrators.ts'
import type { Define } from './contents.ts'
import { emailOf, requireSchema, withInstall } from './install.ts'
import { type Report, reporting } from './report.ts'

export const define: Define = (program) => {
  const admin = program.command('admin').description('Make administrators of this install.')
  admin
    .command('create')
    .description('Make an administrator, by a one-time set-up link that it prints or by a password.')
    .requiredOption('--email <email>', 'who it is; whoever has a login already keeps it')
    .option('--password-stdin', 'take the password from standard input instead of printing a link')
    .option('--json', 'print one object')
    .action(
      reporting<{ email: string; passwordStdin?: boolean }>((_, { email: given, passwordStdin = false }) =>
        withInstall(async ({ config, db, secrets }) => {
          const email = emailOf(given)
          await requireSchema(db)
          const password = passwordStdin ? await readPassword(email) : null
          return reportOf(email, await makeAdministrator(db, { config, secrets: await secrets() }, email, password))
        }),
      ),
    )
  return admin
}

/** From a pipe or a file: an argument would stand in the list of processes and in the shell's history. */
async function readPassword(email: string) {
  if (process.stdin.isTTY) process.stderr.write('Type the password, then Enter and Ctrl-D.\n')
  const password = (await text(process.stdin)).replace(/\r?\n$/, '')
  if (!NewPassword.safeParse(password).success)
    throw new StartRefusal(
      `Standard input holds ${[...password].length} characters; it should hold a password of 12 to 128 characters.`,
    )
  if (isCommonPassword(password, [email]))
    throw new StartRefusal('Standard input holds a common password; choose one that is hard to guess.')
  return password
}

function reportOf(email: string, made: MadeAdministrator): Report {
  const json = { email, ...made }
  switch (made.outcome) {
    case 'invited':
      return { lines: [`${email} becomes an administrator by this link, once and within 7 days:`, made.url], json }
    case 'made':
      return { lines: [`${email} is an administrator and signs in with this password.`], json }
    case 'granted':
      return { lines: [`${email} is an administrator now and signs in with the password they have.`], json }
    case 'already':
      return { lines: [`${email} is an administrator already.`, RESET], json }
    case 'has-password':
      throw new StartRefusal(`${email} has a password already, which stays as it is. ${RESET}`)
  }
}

const RESET = 'npx tributary user reset-password EMAIL prints a link to a new password.'
