import { text } from 'node:stream/consumers'
import { NewPassword } from '#contract/auth.ts'
import { isCommonPassword } from '../platform/config/common-passwords.ts'
import { StartRefusal } from '../platform/config/start-refusal.ts'
import {
  type Administrator,
  listAdministrators,
  type MadeAdministrator,
  makeAdministrator,
  removeAdministrator,
} from '../program/auth/administrators.ts'
import { type Define, type Report, reporting } from './command.ts'
import { emailOf, withInstall } from './install.ts'

export const define: Define = (program) => {
  const admin = program.command('admin').description('Make, list and remove the administrators of this install.')
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
          const password = passwordStdin ? await readPassword(email) : null
          return reportOf(email, await makeAdministrator(db, { config, secrets: await secrets() }, email, password))
        }),
      ),
    )
  admin
    .command('list')
    .description('List the administrators of this install, and who is invited to be one.')
    .option('--json', 'print one object')
    .action(
      reporting(() =>
        withInstall(async ({ db }) => {
          const administrators = await listAdministrators(db)
          return { lines: administrators.map(lineOf), json: { administrators } }
        }),
      ),
    )
  admin
    .command('remove')
    .description('Take the role from an administrator, who keeps their login, or withdraw an invitation.')
    .argument('<email>', 'with which they sign in')
    .option('--json', 'print one object')
    .action(
      reporting(([given = '']) =>
        withInstall(async ({ db }) => {
          const email = emailOf(given)
          const outcome = await removeAdministrator(db, email)
          if (outcome === null)
            throw new StartRefusal(`${email} is no administrator. npx tributary admin list names those there are.`)
          if (outcome === 'last')
            throw new StartRefusal(
              `${email} is the only administrator who can sign in. Make another one first: npx tributary admin create --email EMAIL.`,
            )
          return { lines: [`${email} is no administrator any more.`], json: { email, outcome } }
        }),
      ),
    )
  return admin
}

const lineOf = ({ email, since, lastSignIn, state }: Administrator) =>
  state === 'invited'
    ? `${email}  invited ${day(since)}`
    : `${email}  since ${day(since)}  ${lastSignIn ? `signed in last on ${day(lastSignIn)}` : 'has not signed in lately'}`

const day = (at: string) => at.slice(0, 10)

/** Reads from a pipe or a file: an argument would appear in the list of processes and in the shell's history. */
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
    case 'unproven':
      return {
        lines: [
          `${email} is no administrator yet: they have a password, but nobody has shown that the mailbox is theirs, and whoever saw their invitation may have set it.`,
          'Hand them this link, by which they set a new password, once and within an hour, and run this command again:',
          made.url,
        ],
        json,
      }
    case 'has-password':
      throw new StartRefusal(`${email} has a password already, which stays as it is. ${RESET}`)
  }
}

const RESET = 'npx tributary user reset-password EMAIL prints a link to a new password.'
